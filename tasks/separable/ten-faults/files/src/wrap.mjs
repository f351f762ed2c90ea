/**
 * Breaks a text into lines of at most `width` characters, between words. A word that is longer than a line has a line of its own and is
 * not cut. Spaces at the ends of lines are dropped.
 */
export function wrapText(text, width) {
  const lines = []
  let line = ''
  for (const word of text.split(' ').filter(Boolean)) {
    if (line === '') line = word
    else if (line.length + word.length <= width) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  if (line !== '') lines.push(line)
  return lines
}
