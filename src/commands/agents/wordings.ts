import { parse } from 'node:path'
import type { AgentSet } from '../../schema/agent/agent-set.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { readDocumentFile, readNamedFile } from '../methods/documents.ts'

/** The wording without further instructions. */
const usual = 'default'

/**
 * Returns the sets of `--instructions`: one for each wording, with the same agents; undefined without the option. The set `default` has no
 * further instructions, so its trials are those of a run without the option. `hasSets`: the run has several sets of agents already. Adds
 * every problem.
 */
export function wordingSets(
  { options: { instructions }, isFromFile }: MergedOptions,
  { agents, hasSets }: { agents: AgentSet['agents']; hasSets: boolean },
  problems: Problem[],
): AgentSet[] | undefined {
  if (instructions === undefined) return undefined
  const where = `--instructions ${instructions}`
  if (hasSets) {
    const fix = 'Leave out one of them: a pair of rows then differs in one thing.'
    problems.push({ where, what: 'conflicts with several agents after --agents', fix })
    return undefined
  }
  const files = instructions.split(',').map((part) => part.trim())
  if (files.length < 2) {
    const fix = 'Write for example default,careful.md to compare a file with the usual words.'
    problems.push({ where, what: 'names one wording; a comparison needs two', fix })
  }
  const sets: AgentSet[] = files.flatMap((file) => {
    if (file === usual) return [{ label: usual, agents }]
    const text = read(file, isFromFile('instructions'), problems)
    return text === undefined ? [] : [{ label: parse(file).name, agents, instructions: { file, text } }]
  })
  problems.push(...equalProblems(sets))
  return sets.length > 1 ? sets : undefined
}

function read(file: string, isOfConfig: boolean, problems: Problem[]): string | undefined {
  const where = `--instructions ${file}`
  try {
    const text = isOfConfig ? readNamedFile(file, '.') : readDocumentFile(file)
    if (text?.trim()) return text.trim()
    const what = text === undefined ? 'there is no such file' : 'is empty'
    problems.push({ where, what, fix: `Write instructions into it, or name ${usual} for none.` })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems.map((problem) => ({ ...problem, where })))
  }
  return undefined
}

/** Returns a problem for each wording that has the name or the text of one before it. */
function equalProblems(sets: readonly AgentSet[]): Problem[] {
  return sets.flatMap((set, place): Problem[] => {
    const before = sets.slice(0, place)
    const where = `--instructions ${set.instructions?.file ?? usual}`
    if (before.some(({ label }) => label === set.label))
      return [
        { where, what: `is the second wording named "${set.label}"`, fix: 'Give its file another name.' },
      ]
    const same = before.find(({ instructions }) => instructions?.text === set.instructions?.text)
    if (!same) return []
    return [{ where, what: `says the same as "${same.label}"`, fix: 'Leave out one of the two.' }]
  })
}
