package io.lockkeeper.dynamodb;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.support.Answers;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Says what a failed request means to the engine. */
final class DynamoDbFailures {

  private static final Set<String> DENIALS =
      Set.of(
          "AccessDeniedException",
          "ExpiredTokenException",
          "IncompleteSignature",
          "IncompleteSignatureException",
          "InvalidSignatureException",
          "MissingAuthenticationToken",
          "MissingAuthenticationTokenException",
          "NotAuthorized",
          "OptInRequired",
          "UnrecognizedClientException");

  private static final int SERVER_ERRORS = 500;

  private DynamoDbFailures() {}

  /**
   * Returns the outcome of a request that failed. Whatever is not for good is unknown: an answer
   * that did not come, an error of the server, and too many requests at a time.
   *
   * @param table for messages
   */
  static <T> Outcome<T> outcome(Throwable failure, String table) {
    Throwable cause = Answers.cause(failure);
    if (!(cause instanceof AwsServiceException error)) {
      return cause.getMessage() != null && cause.getMessage().contains("Unable to load credentials")
          ? Outcome.refused(StoreProblem.DENIED, "no AWS credentials found: " + cause.getMessage())
          : Outcome.unknown(cause);
    }
    String code = error.awsErrorDetails() == null ? "" : error.awsErrorDetails().errorCode();
    String message = error.awsErrorDetails() == null ? "" : error.awsErrorDetails().errorMessage();
    if (error.isThrottlingException() || error.statusCode() >= SERVER_ERRORS) {
      return Outcome.unknown(error);
    } else if (error instanceof ResourceNotFoundException) {
      return Outcome.refused(
          StoreProblem.OTHER,
          "there is no table "
              + table
              + "; this makes it: aws dynamodb create-table --table-name "
              + table
              + " --attribute-definitions AttributeName=k,AttributeType=S --key-schema"
              + " AttributeName=k,KeyType=HASH --billing-mode PAY_PER_REQUEST");
    } else if (DENIALS.contains(code)) {
      return Outcome.refused(
          StoreProblem.DENIED,
          "DynamoDB denies access ("
              + message
              + "): dynamodb:GetItem, PutItem and Scan on table "
              + table
              + " are needed");
    } else if (message.contains("size has exceeded")) {
      return Outcome.refused(
          StoreProblem.FULL, "an item of DynamoDB has 400 KB at most: nothing has been changed");
    } else {
      return Outcome.refused(StoreProblem.OTHER, "DynamoDB refuses: " + message);
    }
  }
}
