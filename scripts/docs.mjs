// Writes what docs/reference says of commands and files from the declarations of the commands and the schemas of the files, between
// marks. With --check it changes nothing, and fails where a page has something else.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandList } from './docs/commands.mjs'
import { documentFields } from './docs/documents.mjs'
import { fieldList, kindRows } from './docs/fields.mjs'
import { betweenMarks, root } from './publish-tools.mjs'

const schema = (path) => join(root, 'src/schema', path)
const step = schema('ledger/step.ts')
const common = [
  'kind',
  'trial',
  'key',
  'attempt',
  'payer',
  'hash',
  'simulated',
  'at',
  'durationMs',
  'iteration',
]

/** What stands between the marks of each page. */
async function texts() {
  return {
    'docs/reference/commands.md': { commands: await commandList() },
    'docs/reference/fields.md': {
      'run.json': fieldList(schema('run/run.ts'), 'RunManifest'),
      method: fieldList(schema('ledger/trial.ts'), 'Method'),
      'records.jsonl': fieldList(schema('ledger/record.ts'), 'TrialRecord'),
      spending: fieldList(schema('tokens.ts'), 'Spending'),
      common: fieldList(schema('ledger/tool-step.ts'), 'Common'),
      'steps.jsonl': kindRows(step, 'Step', new Set(common)),
      'people.jsonl': kindRows(schema('run/people.ts'), 'PeopleLine', new Set(['type'])),
      'amendments.jsonl': fieldList(schema('run/amendment.ts'), 'Amendment'),
      config: await documentFields('schema/run/config.ts', 'Config'),
      policy: await documentFields('schema/run/gate-policy.ts', 'GatePolicy'),
      workflow: await documentFields('schema/method/workflow.ts', 'WorkflowFile'),
      states: await documentFields('schema/machine/machine-file.ts', 'MachineFile'),
      graph: await documentFields('schema/graph/document.ts', 'GraphDocument'),
    },
  }
}

/** Returns each page with its text as it should be, and as it is. */
export async function generatedPages() {
  return Object.entries(await texts()).map(([path, parts]) => {
    const is = readFileSync(join(root, path), 'utf8')
    const made = Object.entries(parts).reduce(
      (text, [mark, part]) => betweenMarks(text, path, mark, () => part),
      is,
    )
    return { path, is, made }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const pages = (await generatedPages()).filter(({ is, made }) => is !== made)
  const check = process.argv.includes('--check')
  if (!check) for (const { path, made } of pages) writeFileSync(join(root, path), made)
  for (const { path } of pages)
    console.log(check ? `${path} is not what npm run docs writes` : `wrote ${path}`)
  if (check && pages.length > 0) process.exitCode = 1
}
