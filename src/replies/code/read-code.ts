import type { Task } from '../../schema/task.ts'
import { type BlockLanguage, readInfo } from '../scan-fences.ts'
import type { Fence, Region } from '../scan-regions.ts'
import { type Candidate, type Choice, chooseBody, chooseDefinition, joinNeeded } from './choose-code.ts'
import { pythonLines, scriptLines } from './code-lines.ts'
import { findCodeRuns } from './code-runs.ts'
import { type PythonFacts, pythonFacts } from './python/python-facts.ts'
import { type ScriptFacts, scriptFacts } from './script-facts.ts'

/** A reply's lines and the regions outside of thoughts. */
interface DividedReply {
  lines: readonly string[]
  parts: readonly Region[]
}

const isBlock = ({ kind }: Region) =>
  kind === 'fence' || kind === 'file' || kind === 'stray' || kind === 'call'

/** The code of a reply for a task that wants a function, and where it stood, in plain words. */
export interface ReadCode {
  code: string
  found: string
  /** Whether the code defines the function; else it may be its body. */
  isDefined: boolean
  /** What the code says, as `trimCode` returns it; absent where it is put together. */
  facts?: PythonFacts | ScriptFacts
}

/**
 * Reads the code of a reply. What a block defines decides which one counts: the one that defines the function, else code without a
 * fence that does, else a block in the task's language, else a body without a fence.
 */
export function readCode(task: Task, reply: DividedReply): ReadCode | undefined {
  const { language, entryPoint: name = '' } = task.spec
  const blocks = blockCandidates(reply, language)
  const defined = chooseDefinition(blocks, name, 'block')
  if (defined) return finish(task, defined, blocks, true)
  const runs = runCandidates(reply, language)
  const bare = chooseDefinition(runs, name, 'code without a fence')
  if (bare) return finish(task, bare, [...runs, ...blocks], true)
  const body = chooseBody(blocks, 'block') ?? chooseBody(runs, 'code without a fence')
  if (body) return finish(task, body, blocks, false)
  const last = blocks.filter(({ isOutput }) => !isOutput).at(-1)
  return last && finish(task, { candidate: last, found: 'the last block' }, blocks, false)
}

function finish(
  task: Task,
  { candidate, found }: Choice,
  all: readonly Candidate[],
  isDefined: boolean,
): ReadCode {
  const { code: own, facts } = candidate
  if (!isDefined || all.length === 1) return { code: own, found, isDefined, facts }
  const stub = Object.values(task.files).join('\n')
  const known = factsOf(task.spec.language)(stub).defines
  const { code, joined } = joinNeeded(candidate, all, task.spec.entryPoint ?? '', known)
  if (joined === 0) return { code, found, isDefined, facts }
  const addition = joined === 1 ? ', with one that it needs' : `, with ${joined} others that it needs`
  return { code, found: found + addition, isDefined }
}

type Language = Task['spec']['language']

/** Returns the reader of what a language's code defines and uses. */
export const factsOf = (language: Language): ((code: string) => PythonFacts | ScriptFacts) =>
  language === 'python' ? pythonFacts : scriptFacts

/** Returns code without blank lines around it. */
export const trimCode = (code: string): string => code.replace(/^(?:[ \t]*\n)+/, '').trimEnd()

const languages: Readonly<Record<Language, readonly BlockLanguage[]>> = {
  python: ['python'],
  javascript: ['javascript', 'typescript'],
  typescript: ['typescript', 'javascript'],
  text: [],
}

function blockCandidates(
  { lines, parts }: DividedReply,
  language: Language,
): (Candidate & { isOutput: boolean })[] {
  let from = 0
  const factsWithin = createFactsReader(language)
  return parts.filter(isBlock).flatMap((part) => {
    const before = lines.slice(from, part.firstLine).slice(-4).join('\n').slice(-400)
    from = part.endLine
    if (part.kind !== 'fence' || part.owner) return []
    const named = readInfo(part.info).language
    const code = codeOf(part)
    return [
      {
        code,
        facts: factsWithin(code),
        language: compare(named, language),
        before,
        isOutput: named === 'output',
      },
    ]
  })
}

function codeOf({ content }: Fence): string {
  // Some models write the language's name on a line of its own.
  const first = /^\s*([A-Za-z]+[\d.]*)[ \t]*\n/.exec(content.slice(0, 100))
  const isName = first !== null && readInfo(first[1] as string).isKnown
  return isName ? content.slice(first[0].length) : content
}

/** Most characters of the code of a reply that are read: no reply for one function has more. */
const mostRead = 300_000

/** Returns what reads the facts of the code of one reply, a piece at a time. */
function createFactsReader(language: Language) {
  let left = mostRead
  return (code: string) => {
    const read = trimCode(code).slice(0, left)
    left -= read.length
    return factsOf(language)(read)
  }
}

function compare(named: BlockLanguage, language: Language): Candidate['language'] {
  if (languages[language].includes(named)) return 'task'
  return named === 'none' ? 'unnamed' : 'other'
}

/** Returns the runs of lines outside of closed blocks that read as code. */
function runCandidates({ lines, parts }: DividedReply, language: Language): Candidate[] {
  const outside: (string | undefined)[] = [...lines]
  // A model that continues a prompt may begin with the space behind it.
  const first = lines.findIndex((line) => line.trim() !== '')
  if (/^ {1,3}\S/.test(lines[first] ?? '')) outside[first] = lines[first]?.trimStart()
  for (const part of parts.filter(isBlock))
    if (part.kind !== 'fence' || part.isClosed || part.owner)
      outside.fill(undefined, part.firstLine, part.endLine)
    else outside[part.firstLine] = undefined
  let from = 0
  const factsWithin = createFactsReader(language)
  return findCodeRuns(outside, language === 'python' ? pythonLines : scriptLines).map(({ begin, end }) => {
    const before = lines.slice(from, begin).slice(-4).join('\n').slice(-400)
    from = end
    const code = outside.slice(begin, end).join('\n')
    return { code, facts: factsWithin(code), before, language: 'unnamed' }
  })
}
