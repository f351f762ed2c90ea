import { isDeepStrictEqual } from 'node:util'
import { takesDataBack } from '../answers/withdrawal.ts'
import { scanReply } from '../scan.ts'
import { partsOf } from '../scan-regions.ts'
import { type Fit, repeatsKey } from './fitting-value.ts'
import { findValue, parseJson, parseValue, type Scan } from './scan-value.ts'

/** Where a part of a reply stands. Values are read from `plain` first, then from `quoted`, and from `code` last. */
type Place = 'plain' | 'quoted' | 'code'

/** A text that may be the wanted value. */
interface Candidate {
  place: Place
  text: string
  /** Where it stands in the text; absent for a block that is one value without brackets. */
  scan?: Scan
  /** The words between the value before it and itself. */
  before: string
  /** The words between it and the next value. */
  behind: string
}

/** Most values of a reply that are tried, from the last one back. */
const mostTried = 1_000

/** Characters behind a value in which it may be taken back. */
export const mostBehind = 1_000

/** Words that announce a value in the place of an earlier one, and words that only discuss one. */
const replaces =
  /\b(?:no|not|now|so|but|final(?:ly)?|correct(?:ed|ion)?|instead|rather|actually|wait|therefore|thus|hence|verdict|answer|result|conclusion|mine|better|however|second thought|(?:re|after )(?:view|vis\w+|consider\w*)|improved|updated)\b/i
const discusses =
  /\b(?:draft|example|e\.g|such as|at first|first|format|template|instance|would be|either|option|alternative(?:ly)?)\b/i

/** How much a candidate of some facts counts: the higher rank wins, and of those that replace others the last one. */
const ranks = { discussed: 1, plain: 2, replacing: 3 }

const rankOf = ({ before }: Candidate, isFirst: boolean) =>
  discusses.test(before) ? ranks.discussed : !isFirst && replaces.test(before) ? ranks.replacing : ranks.plain

/**
 * Reads the value of a reply that fits: of those in plain places, else of quoted ones, else of blocks of code. An empty list or object
 * counts only where no other value fits, since prose has such brackets too. Two that differ and of which neither replaces the other are
 * no value.
 */
export function readLast<Reply>(reply: string, read: (value: unknown) => Fit<Reply>): Fit<Reply> {
  const whole = readWhole(reply.trim(), read)
  if (whole) return whole
  const { candidates, isCut } = findCandidates(reply)
  let problem: string | undefined
  for (const place of ['plain', 'quoted', 'code'] as const) {
    const here = candidates.filter((one) => one.place === place).slice(-mostTried)
    for (const isWanted of [(one: Candidate) => !isEmpty(one), isEmpty]) {
      const fitting: { rank: number; text: string; fit: Fit<Reply> & { data: Reply } }[] = []
      for (const one of here.filter(isWanted)) {
        const fit = takesDataBack(one.behind) ? takenBack : fitCandidate(one, read)
        if (fit && 'data' in fit)
          fitting.push({ rank: rankOf(one, fitting.length === 0), text: one.text, fit })
        else problem = fit?.problem ?? problem
      }
      const chosen = choose(fitting)
      if (chosen) return chosen
    }
  }
  return { problem: problem ?? problemWithout(reply, candidates, isCut) }
}

export const takenBack = { problem: 'it takes its value back.' }

function choose<Reply>(
  fitting: readonly { rank: number; text: string; fit: Fit<Reply> & { data: Reply } }[],
): Fit<Reply> | undefined {
  const top = Math.max(...fitting.map(({ rank }) => rank))
  const last = fitting.findLast(({ rank }) => rank === top)
  const other = fitting.findLast(
    ({ rank, fit }) => rank === top && !isDeepStrictEqual(fit.data, last?.fit.data),
  )
  if (!last || !other || top === ranks.replacing) return last?.fit
  return { problem: `it gives two values that differ, ${short(other.text)} and ${short(last.text)}.` }
}

const short = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text).replace(/\s+/g, ' ')

/** Reads a reply that is one value and nothing else, also one without brackets. */
function readWhole<Reply>(reply: string, read: (value: unknown) => Fit<Reply>): Fit<Reply> | undefined {
  if (!/^[{[]/.test(reply)) return fitCandidate({ place: 'code', text: reply, before: '', behind: '' }, read)
  const { values } = findValues(reply)
  const [scan] = values
  if (scan?.start !== 0 || scan.end !== reply.length) return undefined
  return fitCandidate({ place: 'plain', text: reply, scan, before: '', behind: '' }, read)
}

function fitCandidate<Reply>(
  { place, text, scan }: Candidate,
  read: (value: unknown) => Fit<Reply>,
): Fit<Reply> | undefined {
  const parsed =
    scan && place !== 'code' ? parseValue(text, { ...scan, start: 0, end: text.length }) : parseJson(text)
  if (!parsed) return undefined
  if (scan?.repeatedKey !== undefined) return repeatsKey(scan.repeatedKey)
  const fit = read(parsed.value)
  const faults = 'faults' in parsed ? (parsed.faults as string[]) : []
  return 'data' in fit ? { ...fit, repairs: [...faults, ...fit.repairs] } : fit
}

function findCandidates(reply: string): { candidates: Candidate[]; isCut: boolean } {
  let isCut = false
  let before = ''
  const candidates: Candidate[] = []
  const follow = (text: string) => {
    const last = candidates.at(-1)
    if (last) last.behind = (last.behind + text.slice(0, mostBehind)).slice(0, mostBehind)
  }
  for (const { place, text, isBlock } of divide(reply)) {
    const found = findValues(text)
    if (place === 'plain') isCut = found.isCut || (isCut && found.values.length === 0)
    let at = 0
    for (const scan of found.values) {
      const { start, end } = scan
      before = (before + (isBlock ? '' : text.slice(Math.max(at, start - 300), start))).slice(-300)
      if (!isBlock) follow(text.slice(at, start))
      const isInline = place === 'plain' && !isBlock && isInCode(text, start, end)
      const edits = scan.edits.map((edit) => ({ ...edit, at: edit.at - start }))
      candidates.push({
        place: isInline ? 'quoted' : place,
        text: text.slice(start, end),
        scan: { ...scan, edits },
        before,
        behind: '',
      })
      before = ''
      at = end
    }
    if (isBlock && at === 0) candidates.push({ place, text: text.trim(), before, behind: '' })
    if (!isBlock && place === 'plain') follow(text.slice(at))
    before = isBlock ? '' : (before + text.slice(Math.max(at, text.length - 300))).slice(-300)
  }
  return { candidates, isCut }
}

interface Part {
  place: Place
  text: string
  /** Whether it is the content of a fenced block. */
  isBlock: boolean
}

/** Divides a reply into its parts: prose and the blocks of data are plain, and blocks of another language are code. */
function divide(reply: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const region of partsOf(scanReply(reply).regions)) {
    if (region.kind !== 'fence' && region.kind !== 'quote') continue
    parts.push({ place: 'plain', text: reply.slice(at, region.start), isBlock: false })
    at = region.end
    const quoted = () => reply.slice(region.start, at).replace(/^[\s>]*>/gm, '')
    parts.push(
      region.kind === 'fence'
        ? { place: placeOf(region.info), text: region.content, isBlock: true }
        : { place: 'quoted', text: quoted(), isBlock: false },
    )
  }
  return [...parts, { place: 'plain', text: reply.slice(at), isBlock: false }]
}

/** Languages of fenced blocks that hold data or plain text. */
const dataLanguage = /^(?:jsonc?|json5|jsonl|ndjson|te?xt|plaintext)?$/i

const placeOf = (info: string): Place =>
  dataLanguage.test(info.trim().split(/[\s{]/, 1)[0] ?? '') ? 'plain' : 'code'

/** Whether a part of a line stands between backticks. */
function isInCode(text: string, start: number, end: number): boolean {
  const [before = ''] = text
    .slice(Math.max(0, start - 1_000), start)
    .split('\n')
    .slice(-1)
  const [behind = ''] = text.slice(end, end + 1_000).split('\n', 1)
  return (before.match(/`+/g) ?? []).length % 2 === 1 && behind.includes('`')
}

const isEmpty = ({ text }: Candidate) => /^(?:\{\s*\}|\[\s*\])$/.test(text)

function problemWithout(reply: string, candidates: readonly Candidate[], isCut: boolean): string {
  if (reply.trim() === '') return 'it is empty.'
  if (isCut) return 'its JSON value is cut off: its last bracket is missing.'
  return candidates.length > 0 || /[{[]/.test(reply) ? 'it is not valid JSON.' : 'it holds no JSON value.'
}

/** Most searches for the end of a broken value, each of which may read the rest of the text. */
const mostSearches = 16

/**
 * Finds the outermost values of a text that begin with a bracket, in order. Brackets of prose are passed over. What lies within a value,
 * or within data that is broken or cut off, is not listed, since a part of a value is not the value. `isCut`: the text ends within one.
 */
function findValues(text: string): { values: Scan[]; isCut: boolean } {
  const values: Scan[] = []
  let isCut = false
  let searches = 0
  // Twenty times the text is more than any honest reply needs.
  let work = 20 * text.length + 10_000
  const bracket = /[{[]/g
  for (let found = bracket.exec(text); found && work > 0; found = bracket.exec(text)) {
    const isSearched = searches < mostSearches
    const scan = findValue(text, found.index, isSearched)
    const { outcome, start, end, lastString, isData, depth } = scan
    work -= end - start
    bracket.lastIndex = lastString === undefined || outcome === 'value' ? end : lastString + 1
    if (outcome === 'value') values.push(scan)
    else if (isData) {
      if (outcome === 'cut') isCut = true
      if (outcome === 'cut') bracket.lastIndex = end
      else if (searches++ < mostSearches)
        bracket.lastIndex = closingBracket(text, end, depth) ?? bracket.lastIndex
    }
  }
  return { values, isCut }
}

/** Returns the end of data that is broken at a place, by its brackets alone; undefined if they never close. */
function closingBracket(text: string, from: number, depth: number): number | undefined {
  const token = /"(?:[^"\\\n]|\\.)*"|[{}[\]]/g
  token.lastIndex = from
  let open = depth
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '{' || found[0] === '[') open++
    else if (!found[0].startsWith('"')) open--
    if (open === 0) return found.index + 1
  }
  return undefined
}
