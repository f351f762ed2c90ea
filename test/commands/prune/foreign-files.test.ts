import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { foreignFiles, foreignText } from '../../../src/commands/prune/judge-run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const hash = 'ab'.repeat(32)
const uuid = '01234567-89ab-cdef-0123-456789abcdef'
const own = [
  ...['run.json', 'request.json', 'summary.md', 'lock', 'pause', 'origin', '.DS_Store'],
  ...['steps', 'events', 'records', 'sessions', 'looks', 'people', 'amendments'].map(
    (name) => `${name}.jsonl`,
  ),
  ...['records.jsonl.draft', `lock.${uuid}`, 'lock.over-0123456789ab', `lock.over-0123456789ab.${uuid}`],
  ...[`blobs/${hash}`, `blobs/${hash}.${uuid}`],
  ...['share', 'blocks/12/steps.jsonl', `blocks/12/blobs/${hash}`, 'joined/last.json', 'joined/session.json'],
  ...[
    'answer.md',
    'changes.patch',
    'changed-files.json',
    'files/a/b.txt',
    'outputs/x.md',
    'outputs.draft/x.md',
  ].map((path) => `artifacts/${hash}/${path}`),
  ...['files/a/b.txt', 'files/run.json', 'repository/HEAD', 'repository/refs/heads/start'].flatMap((path) => [
    `workspaces/${hash}/${path}`,
    `workspaces/${hash}.${uuid}/${path}`,
  ]),
]

function folderOf(paths: readonly string[]): string {
  const folder = tempFolder()
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  return folder
}

it('all that bench writes into a run folder is its own, also what a killed process left', () => {
  const folder = folderOf(own)
  symlinkSync(tempFolder(), join(folder, 'linked'))
  expect(foreignFiles(folder)).toEqual([])
  expect(foreignText(folder)).toBeUndefined()
})

it.each(['results/published/simulated/run', 'results/published/fanout/run'])(
  '%s holds nothing else',
  (run) => {
    expect(readdirSync(run)).toContain('run.json')
    expect(foreignFiles(run)).toEqual([])
  },
)

it.each([
  ...[
    'my-thesis.docx',
    'report.html',
    'notes/deep/a.txt',
    'run.json.bak',
    'summary.md.draft.txt',
    'steps.json',
  ],
  ...['blobs/my-thesis.docx', `blobs/deep/${hash}`, 'artifacts/notes.txt', 'artifacts/mine/answer.md'],
  ...['workspaces/notes.txt', 'workspaces/mine/files/a.txt', `workspaces/${hash}.mine/files/a.txt`],
  ...[`workspaces/${hash}/notes.txt`, `workspaces/${hash}/mine/a.txt`],
  ...[`artifacts/${hash}/notes.txt`, `artifacts/${hash}/mine/answer.md`, 'artifacts.old/x', 'Lock', '.env'],
])('%s in a run folder is somebody else’s', (path) => {
  expect(foreignFiles(folderOf([...own, path]))).toEqual([path])
})

it('the first three such files are named, and all are counted', () => {
  expect(foreignText(folderOf([...own, 'b.txt']))).toMatchSnapshot()
  expect(foreignText(folderOf([...own, 'e', 'd', 'c', 'b/x', 'a']))).toMatchSnapshot()
})
