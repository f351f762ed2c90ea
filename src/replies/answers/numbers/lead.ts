import { beside } from './before.ts'
import { isCurrency } from './scale.ts'
import { type Token, textAt } from './tokens.ts'
import { copulas, signWords } from './words.ts'

interface Lead {
  from: number
  negative: boolean
  money: boolean
  problem?: string
}

/** Reads signs and currency before a number: `-$5`, `US$ 5`, `minus 5`. */
export function readLead(tokens: readonly Token[], start: number): Lead {
  const lead: Lead = { from: start, negative: false, money: false }
  for (let turn = 0; turn < 3 && lead.problem === undefined; turn++) {
    if (!readCurrency(tokens, lead) && !readSign(tokens, lead, start)) break
  }
  return lead
}

function readCurrency(tokens: readonly Token[], lead: Lead): boolean {
  const at = tokens[lead.from - 1]?.kind === 'space' ? lead.from - 2 : lead.from - 1
  if (lead.money || !isCurrency(tokens, at) || tokens[at - 1]?.kind === 'number') return false
  lead.money = true
  lead.from = /^us$/i.test(textAt(tokens, at - 1)) ? at - 1 : at
  return true
}

function readSign(tokens: readonly Token[], lead: Lead, start: number): boolean {
  const spaced = tokens[lead.from - 1]?.kind === 'space'
  const at = spaced ? lead.from - 2 : lead.from - 1
  const sign = textAt(tokens, at).toLowerCase()
  if (signWords.has(sign)) return readSignWord(tokens, lead, at, sign)
  if (!['-', '–', '+'].includes(sign) || !mayBeSign(tokens, at, spaced, sign)) return false
  if (lead.negative || (lead.from < start && tokens[at + 1]?.kind === 'space')) return false
  lead.negative = sign !== '+'
  lead.from = at
  return true
}

/** Whether a mark is a sign: nothing that it could join the number with stands before it. A dash in prose has spaces. */
function mayBeSign(tokens: readonly Token[], at: number, spaced: boolean, sign: string): boolean {
  const space = tokens[at - 1]?.kind === 'space'
  const before = tokens[space ? at - 2 : at - 1]
  if (before === undefined) return !(spaced && sign === '–')
  if (before.kind === 'number' || before.kind === 'power' || /[)\]%!}°'"π]$/.test(before.text)) return false
  if (before.kind !== 'word') return !(spaced && sign === '–')
  const isName = [...before.text].length === 1 || before.text.startsWith('\\')
  return space && !spaced && !isName && (sign !== '+' || copulas.has(before.text.toLowerCase()))
}

/** `minus 42` and `negative 42` are -42, but `x minus 42` is a calculation. */
function readSignWord(tokens: readonly Token[], lead: Lead, at: number, sign: string): boolean {
  const before = tokens[tokens[at - 1]?.kind === 'space' ? at - 2 : at - 1]
  const calculates =
    before !== undefined &&
    (before.kind === 'number' ||
      (before.kind === 'word' &&
        sign === 'minus' &&
        !/^(?:is|are|equals|be|answer|to|result|total)$/i.test(before.text)))
  if (calculates || lead.negative) {
    lead.problem = beside(sign)
    return false
  }
  lead.negative = true
  lead.from = at
  return true
}
