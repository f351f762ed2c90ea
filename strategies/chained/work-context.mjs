import { patchBetween } from './patch.mjs'
import { changedFiles, commitFolder, startCommit } from './repository.mjs'
import { listWork, readWork, textOf } from './work-files.mjs'

/** Estimated tokens of files in one prompt; every method of bench shows as much. */
const filesBudget = 40_000
/** A simulated reply stands for more text than it has. */
const bulk = /\[\[(\d+) tokens of [^\]\n]*\]\]/g
const estimateTokens = (text) =>
  [...text.matchAll(bulk)].reduce((sum, [, tokens]) => sum + Number(tokens), 0) +
  Math.ceil(text.replace(bulk, '').length / 4)

/**
 * Returns the files as text for a prompt: path and content of each, sorted by path. A file that has no room, or is no text, is
 * named with its size, never cut.
 */
export function filesContext(workspace) {
  const blocks = []
  const leftOut = []
  let left = filesBudget
  for (const file of listWork(workspace)) {
    const bytes = readWork(workspace, file)
    const content = textOf(bytes)
    const block = fileBlock(file.path, content ?? '')
    const tokens = estimateTokens(`${block}\n\n`)
    if (content === undefined) leftOut.push(`${file.path} (${bytes.length} bytes that are no text)`)
    else if (tokens > left) leftOut.push(`${file.path} (about ${estimateTokens(content)} tokens)`)
    else {
      blocks.push(block)
      left -= tokens
    }
  }
  if (leftOut.length > 0) blocks.push(`Not shown, for lack of room: ${leftOut.join(', ')}`)
  return blocks.join('\n\n')
}

function fileBlock(path, content) {
  // A file that contains fences needs a longer one around it.
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `FILE: ${path}\n${fence}\n${content}${content.endsWith('\n') || content === '' ? '' : '\n'}${fence}`
}

/** Commits the work on a ref of the workflow's repository, and returns what differs from the start. */
export async function commitWork(workflow, ref = 'refs/bench/work', message = 'Work') {
  const repository = await workflow.openRepository()
  const base = startCommit(repository)
  const { workspace: folder, toMode } = workflow
  const commit = await commitFolder(repository, { ref, folder, message, parent: base, toMode })
  const files = changedFiles(repository, base, commit).map(({ path }) => path)
  return { repository, base, commit, files, patch: patchBetween(repository, base, commit) }
}

/** What is shown of a work: the difference to the start, and, if it wants one or has no difference, the answer. */
export function workContext({ output, answer }, { patch }) {
  return { changes: patch, answer: output === 'answer' || patch === '' ? answer : undefined }
}

/** Returns the results of the tools that a state holds, as compact JSON, or what the tools printed. */
export function resultsContext({ build_results, test_results }) {
  if (!build_results && !test_results) return ''
  return JSON.stringify({ build_results: asHandedOn(build_results), test_results: asHandedOn(test_results) })
}

function asHandedOn(results) {
  if (results?.output === undefined) return results
  const { success, output } = results
  return { success, output, ...rawBeside(results) }
}

/** What a report did not understand, unless it is in the output that is handed on. */
export function rawBeside({ output, raw }) {
  return raw === undefined || output?.includes(raw.text) ? {} : { raw }
}
