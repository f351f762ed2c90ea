// Commits the work on a branch of the workflow's own repository, and makes the patch.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf, patchBetween, treeOfPatch } from './repository.mjs'
import { runStage } from './run-stage.mjs'
import { commitWork } from './work-context.mjs'
import { placeInCheckout } from './workflow.mjs'

await runStage('ship', { asks: false }, async (workflow) => {
  const { ship: _, ...state } = workflow.state
  const { repository, ...work } = await commitWork(workflow, messageOf(state))
  if (work.files.length === 0)
    return { state, failed: true, detail: 'there is nothing to ship: the files are those of the start' }
  const tree = hashOf(repository, `${work.commit}^{tree}`)
  const applied = treeOfPatch(repository, work.base, work.patch)
  if (applied !== tree)
    throw new Error(`the patch leads to the tree ${applied}, not to ${tree}; nothing is shipped`)
  if (workflow.home !== undefined) {
    const patch = patchBetween(repository, work.base, work.commit, placeInCheckout(workflow.folder))
    writeFileSync(join(workflow.home, 'change.patch'), patch)
  }
  const count = work.files.length
  const detail = `${count} ${count === 1 ? 'file' : 'files'} on branch ${work.branch}, commit ${work.commit.slice(0, 12)}`
  return { state: { ...state, ship: { ...work, tree } }, detail }
})

/** The issue and the first line of its text; then the note on the change. */
function messageOf({ issue, task, documentation = '' }) {
  const plain = (text) => text.replaceAll('\0', '')
  const [line = ''] = plain(task).trim().split('\n')
  return `${`${issue}: ${line}`.slice(0, 72).trim()}\n\n${plain(documentation).trim()}`.trim().concat('\n')
}
