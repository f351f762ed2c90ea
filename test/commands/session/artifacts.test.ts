import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { saveArtifacts } from '../../../src/commands/session/artifacts.ts'
import { autoloadedFiles, repositoryHeads } from '../../../src/loop/work/kept-files.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { agentOf, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const files = answerTask({ output: 'files', editable: ['**'], graders: [] })
const block = (path: string, text = 'x') => `FILE: ${path}\n\`\`\`\n${text}\n\`\`\`\n`

/** Returns the artifacts of a trial whose agent replies with file blocks of these paths. */
async function artifactsOf(...paths: string[]) {
  const folder = tempFolder()
  const finished = await playTrial({
    task: files,
    agent: agentOf(() =>
      paths.map((path) => block(path, path.endsWith('HEAD') ? 'ref: refs/heads/main' : 'x')).join(''),
    ),
    strategy: strategyOf(async ({ ask }) => {
      await ask('solver', 'go')
      return { stopReason: 'done' }
    }),
  })
  const notes = saveArtifacts(folder, finished)
  const made = join(folder, 'artifacts', finished.record.trial, 'files')
  const [step] = finished.steps
  const rejected = step?.kind === 'ask' ? (step.changeSet?.rejected ?? []) : []
  return { folder, finished, notes, made, rejected, names: existsSync(made) ? readdirSync(made).sort() : [] }
}

it('artifacts keep the outputs of a method, and follow no link in place of their folder', async () => {
  const strategy = strategyOf(async ({ ask, outputs }) => {
    outputs.write('draft.md', 'a draft')
    await ask('solver', 'go')
    return { stopReason: 'done' }
  })
  const finished = await playTrial({ task: files, agent: agentOf(() => block('a.txt')), strategy })
  const made = join(finished.folder, 'artifacts', finished.record.trial)
  writeFileSync(join(made, 'answer.md'), 'of an earlier version')
  saveArtifacts(finished.folder, finished)
  saveArtifacts(finished.folder, finished)
  expect(readdirSync(made).sort()).toEqual([
    'answer.md',
    'changed-files.json',
    'changes.patch',
    'files',
    'outputs',
  ])
  expect(readFileSync(join(made, 'outputs/draft.md'), 'utf8')).toBe('a draft')
  expect(readFileSync(join(made, 'answer.md'), 'utf8')).toContain('FILE: a.txt')
  const outside = tempFolder()
  rmSync(made, { recursive: true })
  symlinkSync(outside, made)
  saveArtifacts(finished.folder, finished)
  expect(readdirSync(outside)).toEqual([])
})

it.each(tableOf<string[]>(import.meta.url, 'fileBlock'))(
  'a file block of %j creates no file, and the step gives the reason',
  async (path) => {
    const { names, rejected } = await artifactsOf(path, 'README.md')
    expect(names).toEqual(['README.md'])
    expect(rejected).toEqual([
      { path, reason: expect.stringMatching(/version control tool|leads out of the workspace/) },
    ])
  },
)

it('artifacts never contain a git repository, and a note names the omitted files', async () => {
  const inner = ['HEAD', 'config', 'objects/x', 'refs/x']
  const { made, notes, names } = await artifactsOf(
    ...inner,
    ...inner.map((path) => `deep/er/${path}`),
    'w/HEAD',
    'w/commondir',
  )
  expect(names).toEqual(['config', 'deep', 'objects', 'refs', 'w'])
  for (const folder of ['', 'deep/er', 'w']) {
    expect(existsSync(join(made, folder, 'HEAD'))).toBe(false)
    const git = spawnSync('git', ['-C', join(made, folder), 'rev-parse', '--git-dir'], { encoding: 'utf8' })
    expect(git.stdout ?? '').not.toContain(made)
    expect(git.status).not.toBe(0)
  }
  expect(notes).toEqual([
    expect.stringMatching(
      /^artifacts\/\S+\/files omits HEAD, deep\/er\/HEAD, w\/HEAD: with this, git would treat the folder/,
    ),
  ])
})

it('a file named HEAD outside a repository is kept in artifacts', async () => {
  const { names, notes } = await artifactsOf('HEAD', 'refs/x', 'docs/HEAD')
  expect([names, notes]).toEqual([['HEAD', 'docs', 'refs'], []])
  expect(repositoryHeads(['head', 'OBJECTS/x', 'Refs/x', 'HEADS'])).toEqual(['head'])
})

it('a note names the first five files that tools load automatically', async () => {
  const { notes, names } = await artifactsOf('.npmrc', 'README.md', '.vscode/tasks.json')
  expect(names).toEqual(['.npmrc', '.vscode', 'README.md'])
  expect(notes).toEqual([
    expect.stringMatching(
      /contains \.npmrc, \.vscode\/tasks\.json: tools load such files automatically\. Read them/,
    ),
  ])
  const many = await artifactsOf(...Array.from({ length: 8 }, (_, i) => `p${i}/.envrc`))
  expect(many.notes).toEqual([expect.stringMatching(/p4\/\.envrc and 3 more:/)])
})

it('autoloadedFiles finds files by name, in any case and any folder', () => {
  const obeyed = [
    '.envrc',
    'a/.husky/pre-commit',
    'hooks/post-checkout',
    '.VSCode/settings.json',
    '.claude/settings.json',
    'x/.mcp.json',
    'sitecustomize.py',
    '.bashrc',
  ]
  expect(
    autoloadedFiles([
      ...obeyed,
      'src/index.ts',
      'my.npmrc.md',
      'package.json',
      'webhooks/a.ts',
      '.gitignore',
    ]),
  ).toEqual(obeyed)
})

it('saveArtifacts replaces the artifacts of an earlier attempt', async () => {
  const { folder, finished, made } = await artifactsOf('a.txt')
  writeFileSync(join(made, 'stale.txt'), '')
  mkdirSync(join(made, '.git'))
  saveArtifacts(folder, finished)
  expect(readdirSync(made)).toEqual(['a.txt'])
  expect(readFileSync(join(made, 'a.txt'), 'utf8')).toBe('x\n')
})
