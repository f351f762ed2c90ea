// Commits the work on a branch of the workflow's own repository, and makes the patch.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeInCheckout } from './checkout.mjs'
import { draftOf } from './drafts.mjs'
import { git } from './git.mjs'
import { patchBetween, treeOfPatch } from './patch.mjs'
import { hashOf } from './repository.mjs'
import { runStage } from './run-stage.mjs'
import { commitWork } from './work-context.mjs'

/** Keeps the commit until it is certain that it is shipped. */
const shippingRef = 'refs/bench/ship'

await runStage('ship', { asks: false }, async (workflow) => {
  const { ship: _, ...state } = workflow.state
  const branch = `bench/${state.workflow_id}`
  const { repository, ...work } = await commitWork(workflow, shippingRef, messageOf(state))
  const { base, commit, files, patch } = work
  if (files.length === 0)
    return { state, failed: true, detail: 'there is nothing to ship: the files are those of the start' }
  const tree = hashOf(repository, `${commit}^{tree}`)
  const applied = treeOfPatch(repository, base, patch)
  if (applied !== tree)
    throw new Error(`the patch leads to the tree ${applied}, not to ${tree}; nothing is shipped`)
  const finish = () => {
    git(repository, ['update-ref', `refs/heads/${branch}`, commit])
    git(repository, ['update-ref', '-d', shippingRef])
    if (workflow.home !== undefined) writePatch(workflow, repository, base, commit)
  }
  const detail = `${files.length} ${files.length === 1 ? 'file' : 'files'} on branch ${branch}, commit ${commit.slice(0, 12)}`
  return { state: { ...state, ship: { branch, ...work, tree } }, detail, finish }
})

/** Writes the patch for the user's folder: the whole of it or nothing. */
function writePatch({ home, folder }, repository, base, commit) {
  const path = join(home, 'change.patch')
  const draft = draftOf(path)
  writeFileSync(draft, patchBetween(repository, base, commit, placeInCheckout(folder)))
  renameSync(draft, path)
}

function messageOf({ issue, task, documentation = '' }) {
  const lines = plain(task).split('\n')
  const line = lines.find((one) => /^[^#\s]/.test(one)) ?? lines.find((one) => one.trim() !== '') ?? ''
  const subject = [...`${issue}: ${line.trim()}`].slice(0, 72).join('').replace(/:? *$/, '')
  return `${subject}\n\n${plain(documentation)}`.trim().concat('\n')
}

/** A message of git ends at a zero byte. */
function plain(text) {
  return text.replaceAll('\0', '').trim()
}
