/** See docs/roman.md. */
export function fromRoman(text) {
  if (text === '' || !/^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$/.test(text)) return 0
  const values = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 }
  return [...text].reduce((sum, letter, at) => {
    const value = values[letter]
    return value < (values[text[at + 1]] ?? 0) ? sum - value : sum + value
  }, 0)
}
