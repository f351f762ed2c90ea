// Opens a workflow of the current folder without a stage, and prints what there is of it as JSON: `node open.mjs ISSUE
// WORKFLOW_ID`. With `--request`, the text over stdin is the task.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOfCommit, startCommit } from './repository.mjs'
import { textOf } from './work-files.mjs'
import { openWorkflow } from './workflow.mjs'

try {
  const [issue, workflowId, flag] = process.argv.slice(2)
  const text = flag === '--request' ? readFileSync(0, 'utf8') : undefined
  const folder = process.cwd()
  const isNew = !existsSync(join(folder, '.bench', workflowId))
  const { state, text: stateText, repository } = await openWorkflow(folder, issue, workflowId, text)
  // Links, and files that are no text, are nothing for a run.
  const texts = filesOfCommit(repository, startCommit(repository))
    .filter(({ mode }) => mode !== '120000')
    .map(({ path, bytes }) => [path, textOf(bytes)])
  const start = Object.fromEntries(texts.filter(([, content]) => content !== undefined))
  process.stdout.write(JSON.stringify({ isNew, state, stateText, start }))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
