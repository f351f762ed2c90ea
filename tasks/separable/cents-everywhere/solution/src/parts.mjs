import { share } from './share.mjs'

/** Splits a sum into equal payments, one a month; the last one is what is left. */
export function inParts(cents, count) {
  const part = share(cents, 1, count)
  return Array.from({ length: count }, (_, at) => ({
    month: at + 1,
    cents: at + 1 < count ? part : cents - part * (count - 1),
  }))
}
