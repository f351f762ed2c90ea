/** See docs/version.md. */
export function compareVersions(a, b) {
  const [first, second] = [read(a), read(b)]
  for (let i = 0; i < Math.max(first.numbers.length, second.numbers.length); i++) {
    const difference = (first.numbers[i] ?? 0) - (second.numbers[i] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  if (first.word === second.word) return 0
  if (first.word === '') return 1
  if (second.word === '') return -1
  return first.word < second.word ? -1 : 1
}

function read(version) {
  const [numbers, word = ''] = version.split('-')
  return { numbers: numbers.split('.').map(Number), word }
}
