/** See docs/line.md. */
export function splitLine(text) {
  const fields = []
  let at = 0
  for (;;) {
    if (text[at] === '"') {
      let field = ''
      at++
      while (text[at] !== '"' || text[at + 1] === '"') {
        if (at >= text.length) throw new SyntaxError('a quoted field does not end')
        if (text[at] === '"') at++
        field += text[at]
        at++
      }
      at++
      if (at < text.length && text[at] !== ';') throw new SyntaxError('something follows a quoted field')
      fields.push(field)
    } else {
      const end = text.indexOf(';', at)
      const stop = end < 0 ? text.length : end
      fields.push(text.slice(at, stop).replace(/^ +| +$/g, ''))
      at = stop
    }
    if (at >= text.length) return fields
    at++
  }
}
