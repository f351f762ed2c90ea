// Encodes and decodes primitives and symbols.

const commonSymbols = new Map()
for (const name of Object.getOwnPropertyNames(Symbol)) {
  if (typeof Symbol[name] === 'symbol') commonSymbols.set(Symbol[name], name)
}

/** Returns JSON for a primitive or a symbol. Strings, booleans, null and most numbers are themselves. */
export function encodePlain(value, symbolIds) {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : ['number', numberText(value)]
    case 'undefined':
      return ['undefined']
    case 'bigint':
      return ['bigint', `${value}`]
    case 'symbol':
      return encodeSymbol(value, symbolIds)
    default:
      return value
  }
}

const numberText = (value) => (Object.is(value, -0) ? '-0' : `${value}`)

function encodeSymbol(symbol, ids) {
  if (commonSymbols.has(symbol)) return ['symbol', commonSymbols.get(symbol)]
  if (Symbol.keyFor(symbol) !== undefined) return ['symbolFor', Symbol.keyFor(symbol)]
  return ['ownSymbol', ids.of(symbol), symbol.description ?? '']
}

/** Returns the value of JSON; throws `NotUnderstood` for JSON that `encodePlain` never writes. */
export function decodePlain(json, symbolIds) {
  if (json === null || typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean')
    return json
  if (!Array.isArray(json)) throw new NotUnderstood('a value')
  const [kind, text] = json
  if (kind === 'undefined') return undefined
  if (kind === 'number' && ['NaN', 'Infinity', '-Infinity', '-0'].includes(text)) return Number(text)
  if (kind === 'bigint' && /^-?\d{1,100000}$/.test(text)) return BigInt(text)
  if (kind === 'symbol' && commonSymbols.has(Symbol[text])) return Symbol[text]
  if (kind === 'symbolFor' && typeof text === 'string') return Symbol.for(text)
  if (kind === 'ownSymbol' && Number.isSafeInteger(text)) return symbolIds.at(text, `${json[2]}`)
  throw new NotUnderstood('a value')
}

/** The other process sent something that an honest one never sends. */
export class NotUnderstood extends Error {
  constructor(what) {
    super(`sent ${what} that cannot be understood`)
  }
}

/** Gives numbers to unregistered symbols; `parity` keeps the numbers of the two processes apart. */
export function createSymbolIds(parity) {
  const ids = new Map()
  const symbols = new Map()
  let next = parity
  const add = (symbol, id) => {
    ids.set(symbol, id)
    symbols.set(id, symbol)
  }
  return {
    of(symbol) {
      if (!ids.has(symbol)) {
        add(symbol, next)
        next += 2
      }
      return ids.get(symbol)
    },
    at(id, description) {
      if (!symbols.has(id)) {
        if (id % 2 === parity) throw new NotUnderstood('a symbol')
        add(Symbol(description), id)
      }
      return symbols.get(id)
    },
  }
}
