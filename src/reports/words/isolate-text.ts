/** Words in letters that are written from right to left. */
const rightToLeft =
  /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]+(?:[ \p{M}]?[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}])*/gu

/** Puts words that are written from right to left between two marks, so that they do not move the numbers and signs beside them. */
export function isolateWords(text: string, begin: string, end: string): string {
  return text.replace(rightToLeft, (words) => `${begin}${words}${end}`)
}
