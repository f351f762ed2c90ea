import type { PythonFacts } from './python/python-facts.ts'
import type { ScriptFacts } from './script-facts.ts'

/** A piece of code in a reply, with what it defines. */
export interface Candidate {
  code: string
  facts: PythonFacts | ScriptFacts
  /** The prose directly before it. */
  before: string
  /** `task`: in the task's language; `unnamed`: no language is named; `other`: another one, or text and output. */
  language: 'task' | 'unnamed' | 'other'
}

/** A candidate and why it counts, in plain words. */
export interface Choice {
  candidate: Candidate
  found: string
}

/** What is known of a candidate for a function. */
interface Merits {
  candidate: Candidate
  isDefined: boolean
  /** It defines the function with a body. */
  isWritten: boolean
  /** Another one with a body stands before it. */
  isLater: boolean
  /** The prose before it announces it as the answer, or calls it old or wrong. */
  isAnnounced: boolean
  isOld: boolean
  /** A class or object of it has a method of that name. */
  isMethod: boolean
}

/** Which code counts, best first, and which of several. */
const ranks: readonly (readonly [takes: 'first' | 'last', fits: (merits: Merits) => boolean])[] = [
  ['last', ({ isWritten, isLater, isAnnounced }) => isWritten && isLater && isAnnounced],
  ['first', ({ isWritten, isOld }) => isWritten && !isOld],
  ['first', ({ isWritten }) => isWritten],
  ['first', ({ isDefined }) => isDefined],
  ['first', ({ isMethod }) => isMethod],
]

function meritsOf(candidates: readonly Candidate[], name: string): Merits[] {
  let isLater = false
  return candidates.map((candidate) => {
    const { facts, before } = candidate
    const isDefined = facts.functions.has(name)
    const isWritten = isDefined && !facts.sketches.has(name)
    const isAnnounced = isWritten && isLater && announcesAnswer(before)
    const isOld = isWritten && showsOldCode(before)
    const merits = {
      candidate,
      isDefined,
      isWritten,
      isLater,
      isAnnounced,
      isOld,
      isMethod: facts.methods.has(name),
    }
    isLater ||= isWritten
    return merits
  })
}

/** Chooses the code that defines a function, by the table of ranks; code of another language only if no other does. */
export function chooseDefinition(
  candidates: readonly Candidate[],
  name: string,
  kind: string,
): Choice | undefined {
  const fitting = candidates.filter(({ language }) => language !== 'other')
  for (const list of [fitting, candidates]) {
    const all = meritsOf(list, name)
    for (const [takes, fits] of ranks) {
      const best = takes === 'first' ? all.find(fits) : all.findLast(fits)
      if (best) return { candidate: best.candidate, found: wordsOf(best, all, name, kind) }
    }
  }
  return undefined
}

function wordsOf(
  { candidate, isDefined }: Merits,
  all: readonly Merits[],
  name: string,
  kind: string,
): string {
  if (!isDefined) return `the ${kind} whose ${candidate.facts.methods.get(name)?.owner} has a method ${name}`
  const defining = all.filter((one) => one.isDefined)
  const isFirst = defining[0]?.candidate === candidate
  return `the ${isFirst ? (defining.length === 1 ? '' : 'first ') : 'corrected '}${kind} that defines ${name}`
}

/**
 * Chooses code that does not define the function but may be its body, or gives it another name: of the task's language, else of
 * none; what returns, else what defines some function, else the last in the task's language.
 */
export function chooseBody(candidates: readonly Candidate[], kind: string): Choice | undefined {
  for (const language of ['task', 'unnamed'] as const) {
    const list = candidates.filter((one) => one.language === language)
    const body = list.findLast(({ facts }) => facts.isBody)
    if (body) return { candidate: body, found: `the ${kind} that returns, taken as the function's body` }
    const other = list.find(({ facts }) => facts.functions.size > 0)
    if (other)
      return { candidate: other, found: `the first ${kind} that defines a function, of another name` }
    const last = list.at(-1)
    if (last && language === 'task')
      return { candidate: last, found: `the last ${kind} in the task's language` }
  }
  return undefined
}

const mostJoined = 10

/**
 * Returns a candidate's code, behind the code of others that it needs: they define names that it uses and neither it nor the task's
 * file defines. Code that defines the function itself is another version of it and is left out. Of several versions of a helper the last one counts.
 */
export function joinNeeded(
  chosen: Candidate,
  candidates: readonly Candidate[],
  name: string,
  known: ReadonlySet<string>,
): { code: string; joined: number } {
  const parts = new Set([chosen])
  const defined = new Set([...known, ...chosen.facts.defines])
  const wanted = [...chosen.facts.uses]
  const definers = lastDefiners(candidates, name)
  for (let i = 0; i < wanted.length && parts.size <= mostJoined; i++) {
    const use = wanted[i] as string
    if (defined.has(use)) continue
    const other = definers.get(use)
    if (!other || parts.has(other)) continue
    parts.add(other)
    for (const one of other.facts.defines) defined.add(one)
    wanted.push(...other.facts.uses)
  }
  const others = candidates.filter((one) => one !== chosen && parts.has(one))
  return { code: [...others, chosen].map(({ code }) => code.trimEnd()).join('\n\n\n'), joined: others.length }
}

/**
 * Returns the last candidate that defines each name. One that uses the function shows it, too, and gives only its functions; what
 * the prose calls old or wrong gives none.
 */
function lastDefiners(candidates: readonly Candidate[], name: string): Map<string, Candidate> {
  const definers = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const { facts, language, before } = candidate
    if (language === 'other' || facts.defines.has(name) || showsOldCode(before)) continue
    for (const defined of facts.uses.has(name) ? facts.functions : facts.defines)
      if (!facts.sketches.has(defined)) definers.set(defined, candidate)
  }
  return definers
}

// What the prose before a block says of the block that follows. Only its last sentence announces the block.

const code = '(?:code|version|solution|function|implementation|answer|program|script)'
const good = '(?:final|complete|full|correct|right|working|better)'

const anyOf = (...forms: string[]) => new RegExp(forms.join('|'), 'i')

/** The block is the answer that replaces an earlier one. */
const newAnswer = anyOf(
  '\\b(?:correct(?:ed|ion)|fix(?:ed)?|revised|updated|improved|rewritten)\\b',
  `\\b${good}(?:\\W+\\w+){0,2}?\\W+${code}\\b`,
  '^\\W*(?:after|final|correct|right|good|better|best)\\W*$',
  '^\\W*(?:version|attempt|draft|iteration|revision)\\W*[2-9]\\W*$',
  '\\b(?:change|replace|rewrite)\\b.{0,80}\\b(?:to|with|as)\\W*$',
)
/** The block is the code that was there before the answer. */
const oldCode = anyOf(
  '^\\W*(?:(?:a|my|the|rough|quick|first|initial)\\s+)*(?:draft|sketch|attempt|pseudo-?code|before|wrong|incorrect|old|original)\\W*$',
  `^\\W*(?:here is )?(?:the )?(?:your|original|given|old|previous|first)(?:\\s+\\w+)?\\s+${code}\\b[^.]*:\\W*$`,
)
const alternative =
  /\b(?:alternative|alternatively|another|also|optional|instead of|or you)\b|\bmore (?:concise|efficient|general|readable|robust)\b/i
/** The code before this prose is taken back. */
const withdrawal =
  /\b(?:wrong|incorrect|mistake|bug|oops|sorry|apologi[sz]e)\b|^\W*(?:wait|actually|hmm|no)\b|\bdoes(?: not|n['’]t) work\b/i
const regret = /\b(?:oops|sorry|apologi[sz]e)\b|^\W*(?:wait|actually|hmm)\b/i
const advice = /\b(?:do not|don['’]t|never|avoid)\b/i

/** Whether the prose before a block announces it as the answer in place of earlier code. */
function announcesAnswer(before: string): boolean {
  const sentences = sentencesOf(before)
  const last = sentences.at(-1) ?? ''
  if (advice.test(last) || alternative.test(before)) return false
  if (newAnswer.test(last)) return !oldCode.test(last) || regret.test(last)
  if (oldCode.test(last)) return false
  if (sentences.slice(0, -1).some((sentence) => withdrawal.test(sentence))) return true
  // A fault that is named with a colon may be what the block shows.
  return withdrawal.test(last) && (!/:\W*$/.test(last) || regret.test(last))
}

/** Whether the prose before a block says that it shows a mistake or code that is not the answer. */
const showsOldCode = (before: string): boolean => {
  const last = sentencesOf(before).at(-1) ?? ''
  return oldCode.test(last) && !newAnswer.test(last)
}

function sentencesOf(prose: string): string[] {
  return prose.split(/(?<=[.!?])\s+|\n/).filter((sentence) => /\w/.test(sentence))
}
