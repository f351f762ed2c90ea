import { join } from 'node:path'
import { runFiles } from '../../loop/journal/run-files.ts'
import { followLines } from './follow-lines.ts'
import type { ViewedRun } from './run-folders.ts'

/** The fields of records and steps that hold what people and models wrote; grades are not among them. */
const texts = ['answer', 'prompt', 'system', 'reply', 'question', 'feedback', 'output', 'result'] as const

/**
 * Returns the trials whose prompts, replies, answers or outputs hold a text, in small or capital letters. Texts of more than 64 K
 * characters, which stand in files of their own, are not searched.
 */
export async function searchTexts({ folder }: Pick<ViewedRun, 'folder'>, q: string): Promise<Set<string>> {
  const found = new Set<string>()
  const wanted = q.toLowerCase()
  // In a line the text stands as JSON writes it.
  const written = JSON.stringify(wanted).slice(1, -1)
  const line = (bytes: Buffer) => {
    const text = bytes.toString()
    if (!text.toLowerCase().includes(written)) return
    const trial = trialHolding(text, wanted)
    if (trial !== undefined) found.add(trial)
  }
  for (const file of [runFiles.records, runFiles.steps])
    await followLines(join(folder, file), { anew() {}, line })()
  return found
}

function trialHolding(line: string, wanted: string): string | undefined {
  try {
    const fields = Object(JSON.parse(line)) as Record<string, unknown>
    const holds = texts.some((name) => textOf(fields[name]).toLowerCase().includes(wanted))
    return holds && typeof fields.trial === 'string' ? fields.trial : undefined
  } catch {
    // The index says which lines cannot be read.
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
