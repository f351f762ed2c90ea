/**
 * Returns a text as it is kept: line ends are `\n`, byte order marks at its begin are gone, and half of a surrogate pair, which no
 * UTF-8 file can hold, is U+FFFD. Every text of an agent passes here once, before it is journaled.
 */
export function cleanText(text: string): string {
  return text
    .replace(/^\uFEFF+/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}
