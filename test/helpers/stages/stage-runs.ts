import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../machine/temp.ts'
import { writeFiles } from './chained.ts'

/** A project with an error, and an issue about it. */
export const projectFiles = {
  'issue.md': 'Mend add.\n',
  'sum.mjs': 'export const add = (a, b) => a - b\n',
  'old.txt': 'no longer needed\n',
  'test/sum.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add } from '../sum.mjs'
test('adds', () => assert.equal(add(1, 2), 3))
`,
}

/** Agents by a script: the builder mends the project, and asks are counted in `asked.txt` beside it. */
const agents = `import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
const file = \`FILE: sum.mjs
\\\`\\\`\\\`
export const add = (a, b) => a + b
\\\`\\\`\\\`
DELETE: old.txt\`
export default async ({ role, prompt, schema }, { signal }) => {
  appendFileSync(new URL('asked.txt', import.meta.url), role + '\\n')
  if (process.env.WORKER_WAIT) await setTimeout(Number(process.env.WORKER_WAIT), undefined, { signal })
  if (process.env.WORKER_FAIL) return { error: { reason: 'key', message: 'no server' } }
  if (role === 'builder') return 'Mended.\\n\\n' + file
  if (schema) return JSON.stringify({ verdict: 'revise', comments: 'dull', blocking: ['say why'] })
  return { text: role + ' says', tokens: { input: 10, output: 4 }, costUsd: 0.5 }
}
`

/** A folder with the project; and the flags that let the script answer, which lies beside the folder. */
export function stageProject(files: Readonly<Record<string, string>> = projectFiles) {
  const outer = tempFolder()
  const cwd = join(outer, 'project')
  writeFiles(cwd, files)
  writeFiles(outer, { 'agents.mjs': agents })
  const script = join(outer, 'agents.mjs')
  const asked = () => readFileSync(join(outer, 'asked.txt'), 'utf8').trim().split('\n')
  return { cwd, asked, scripted: ['--agents', `scripted:${script}`, '--quiet'] }
}

/** All files below a folder as texts, by path; without the run folders and locks of bench. */
export function textsIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const kept = paths.filter((path) => !/^(results|run)\b|(^|\/)lock$/.test(path)).sort()
  return Object.fromEntries(kept.map((path) => [path, readFileSync(join(folder, path), 'latin1')]))
}
