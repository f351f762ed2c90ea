/** Source that answers each call with forged messages, which the statement `answer` writes by `send` or `raw`. */
export function forger(answer: string): string {
  return `const { parse, stringify } = JSON
const calls = new Map()
let id = 100_000
JSON.parse = (...args) => {
  const message = parse(...args)
  if (message[0] === 'call') calls.set(message[1], message)
  return message
}
JSON.stringify = (message, ...rest) => {
  const call = ['return', 'throw'].includes(message?.[0]) && calls.get(message[1])
  if (!call) return stringify(message, ...rest)
  const [, number, shares, values] = call
  const lines = []
  const raw = (line) => lines.push(line)
  const send = (...forged) => raw(stringify(forged))
  const plain = ['builtin', 'Object.prototype']
  const yes = [id += 2, 'function', ['yes', 0], [], 0]
  ${answer}
  return lines.join('\\n')
}`
}

/** A statement for `forger`: it answers with a value of the tests' own process. */
export const builtinAnswer = (name: string) => `send('return', number, [], [['builtin', '${name}']])`

/** Invalid messages that a process may send, by what they do; see `forger`. */
export const forgedAnswers: Readonly<Record<string, string>> = {
  nothing: `send('return', number, [], [['undefined']])`,
  'its argument': `send('return', number, [], [values[3] ?? null])`,
  'all it was handed': `for (const share of shares) send('return', number, [], [['ref', share[0]]])`,
  'a builtin': `send('return', number, [], [plain])`,
  'the maker of functions': `send('return', number, [], [['builtin', 'Function']])`,
  'an error that is thrown': `send('throw', number, [[id += 2, 'error', [''], [['message', 7, '']], 0, ['builtin', 'RangeError.prototype']]], [['ref', id]])`,
  'an error whose message agrees': `send('throw', number, [yes, [id += 2, 'object', { includes: ['ref', id - 2] }], [id += 2, 'error', [''], [['message', 7, ['ref', id - 2]]], 0, ['builtin', 'Error.prototype']]], [['ref', id]])`,
  'an error that is asked': `send('throw', number, [yes, [id += 2, 'error', [''], [['message', 3, ['ref', id - 2], ['undefined']]], 0, ['builtin', 'Error.prototype']]], [['ref', id]])`,
  'changes to what is built in': `send('return', number, [[id += 2, 'object', [], [['__proto__', 7, ['ref', id]]], 0], [1, 'object', [], [['a', 7, 1]], 0]], [['ref', id]])`,
  'calls of what it does not own': `send('call', 1, [], [['builtin', 'Map'], null, ['undefined'], 'process.reallyExit(0)'])`,
  'getters that end the tests': `send('return', number, [[id += 2, 'object', [], [['a', 3, ['builtin', 'Error'], ['builtin', 'Map']]], 0]], [['ref', id]])`,
  'a list that agrees': `send('return', number, [yes, [id += 2, 'array', [0, 0], [['every', 7, ['ref', id - 2]], ['includes', 7, ['ref', id - 2]], [['symbol', 'iterator'], 7, ['ref', id - 2]]], 0]], [['ref', id]])`,
  'an iterator that agrees': `send('return', number, [yes, [id += 2, 'iterator', ['generator'], [['next', 7, ['ref', id - 2]], [['symbol', 'iterator'], 7, ['ref', id - 2]]], 0]], [['ref', id]])`,
  'an iterator of no kind': `send('return', number, [[id += 2, 'iterator', ['__proto__']]], [['ref', id]])`,
  'steps of what it does not own': `send('step', 1, [], [['ref', 1], 'next'])`,
  'parameters that agree': `send('return', number, [yes, [id += 2, 'params', ['a', '1', 'b'], [['get', 7, ['ref', id - 2]], ['size', 7, 2]], 0]], [['ref', id]])`,
  'an array without an end': `send('return', number, [[id += 2, 'array', [['sparse', 4294967295], 4294967294, 1]]], [['ref', id]])`,
  'a map that agrees': `send('return', number, [yes, [id += 2, 'map', [], [['size', 7, 2], ['has', 7, ['ref', id - 2]], [['symbol', 'iterator'], 7, ['ref', id - 2]]], 0]], [['ref', id]])`,
  'a prototype of a builtin': `send('return', number, [[id += 2, 'object', {}, [], 0, ['builtin', 'Function.prototype']], [id += 2, 'function', ['f', 0], [['prototype', 7, plain]], 0, ['builtin', 'Function']]], [['ref', id]])`,
  'a kind that it is not': `send('return', number, [[id += 2, 'array', { length: 2 }], [id += 2, 'boxed', [['ref', 1]]], [id += 2, 'url', ['x']]], [['ref', id]])`,
  'a construction for nobody': `send('call', 1, [], [['ref', 1], null, ['builtin', 'Error'], 0])`,
  'an end of a promise that nobody has': `send('settle', 0, [], [plain, true, 0]); send('settle', 0, [], [null, true, 0])`,
  'words that nobody knows': `send('finish', number, [], [])`,
  'no JSON': `raw('\x00{]')`,
  'several answers': `for (let at = 0; at < 9; at++) send('return', number + at, [], [at])`,
  'an answer without an end': `raw('[' + '1,'.repeat(40_000_000))`,
}
