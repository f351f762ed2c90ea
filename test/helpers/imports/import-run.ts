import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import importResults from '../../../src/commands/imports/import-results.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { tempFolder } from '../machine/temp.ts'

/** A run that was imported, and what was said. */
export interface ImportedRun {
  out: string
  manifest: RunManifest
  records: TrialRecord[]
  said: string
}

/** Writes files, given by their paths in a new folder: JSON of a value, lines of a list, text as it is. Returns the folder. */
export function foreignFiles(files: Readonly<Record<string, unknown>>): string {
  const folder = tempFolder()
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, textOf(content))
  }
  return folder
}

function textOf(content: unknown): string | Buffer {
  if (typeof content === 'string' || Buffer.isBuffer(content)) return content
  return Array.isArray(content)
    ? content.map((line) => `${JSON.stringify(line)}\n`).join('')
    : JSON.stringify(content, null, 1)
}

/** Imports results into a new folder. */
export async function importRun(words: readonly string[], options: object = {}): Promise<ImportedRun> {
  const out = join(tempFolder(), 'run')
  const said: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  try {
    await importResults(words, { out, ...options })
  } finally {
    stderr.mockRestore()
  }
  return {
    out,
    manifest: JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')),
    records: readFileSync(join(out, 'records.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    said: said.join(''),
  }
}

/** What records say, a line each: task, row and epoch, and how the trial ended. */
export const inShort = ({ records }: ImportedRun): string[] =>
  records.map(({ task, method, epoch, outcome, passed, score, spent, durationMs }) =>
    [
      `${task} ${method} ${epoch}`,
      `${outcome.status}${outcome.reason ? ` (${outcome.reason})` : ''}`,
      passed === null ? 'no verdict' : passed ? 'passed' : 'failed',
      `score ${score}`,
      `${spent.unreportedTokens > 0 ? 'unknown' : `${spent.input}+${spent.output}`} tokens`,
      `${spent.costUsd ?? 'unknown'} USD`,
      `${durationMs ?? 'unknown'} ms`,
    ].join(', '),
  )
