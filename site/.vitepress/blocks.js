/** Makes a diagram of each block of Mermaid, and gives indented code the look of other code. */
export function blocks(md) {
  const { rules } = md.renderer
  const fence = rules.fence
  rules.code_block = fence
  rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === 'mermaid'
      ? `<Diagram source="${encodeURIComponent(tokens[index].content)}" />`
      : fence(tokens, index, ...rest)
}
