import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { benchOk } from '../../helpers/runs/cli.ts'

/** What is typed, with `|` for the end of a word to complete, and words that are offered and that are not. */
const typed: readonly (readonly [line: string, offered: readonly string[], not?: readonly string[]])[] = [
  ['bench re', ['report', 'replay', 'reprice', 'replies'], ['run', '--resume']],
  ['bench run --ep', ['--epochs']],
  ['bench --ep', ['--epochs']],
  ['bench run --mode ', ['dev', 'live'], ['--tasks']],
  ['bench run --mode = l', ['live'], ['dev']],
  ['bench tasks n', ['new']],
  ['bench tasks new q', ['question']],
  ['bench tasks new --re', ['--repo', '--requires'], ['--epochs']],
  ['bench tasks ferry', ['ferry-morning']],
  ['bench run --methods baseline,seq', ['baseline,sequential']],
  ['bench run --agents ant', ['anthropic:']],
  ['bench show ', ['run-a', 'run-b', 'latest'], ['not-a-run']],
  ['bench run --resume run', ['run-a', 'run-b']],
  ['bench report latest --format ', ['latex', 'html', 'svg']],
  ['bench plan --format ', ['mermaid', 'dot'], ['latex']],
  ['bench run --out ', [], ['--tasks', 'all']],
  ['bench completion ', ['bash', 'zsh']],
  ['bench help own', ['own-questions', 'own-repository']],
]

const folder = () =>
  folderOf({ 'results/run-a/run.json': '', 'results/run-b/run.json': '', 'results/not-a-run/x': '' })

needs('bash').it('bash completes commands, options, their words, and runs of this folder', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'bench.bash'), await benchOk(['completion', 'bash']))
  const calls = typed.map(([line]) => {
    const words = line.split(' ').map((word) => `'${word}'`)
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _bench; echo "\${COMPREPLY[*]}"`
  })
  writeFileSync(join(cwd, 'try.bash'), ['source ./bench.bash', ...calls].join('\n'))
  const { stdout, stderr } = await execa('bash', ['--norc', 'try.bash'], { cwd })
  expect(stderr).toBe('')
  checkOffers(stdout.split('\n'))
  const registered = await execa('bash', ['--norc', '-c', 'source ./bench.bash; complete -p bench'], { cwd })
  expect(registered.stdout).toBe('complete -o default -F _bench bench')
})

/** Zsh itself leaves out what does not begin as the word that is typed. */
function checkOffers(lines: readonly string[], isZsh = false): void {
  for (const [i, [line, offered, not = []]] of typed.entries()) {
    const begun = isZsh ? (line.split(' ').at(-1) ?? '') : ''
    const words = (lines[i] ?? '').split(' ').filter((word) => word.startsWith(begun))
    expect(words, line).toEqual(expect.arrayContaining([...offered]))
    for (const word of not) expect(words, line).not.toContain(word)
    if (offered.length === 0) expect(words, line).toEqual([''])
  }
}

needs('zsh').it('zsh takes the same script through its layer for bash', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'bench.zsh'), await benchOk(['completion', 'zsh']))
  const calls = typed.map(([line]) => {
    const words = line.split(' ').map((word) => `'${word}'`)
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _bench; echo "\${COMPREPLY[*]}"`
  })
  const asBash = [
    'try() {',
    'emulate -L sh',
    'setopt kshglob noshglob braceexpand nokshautoload',
    ...calls,
    '}',
    'try',
  ]
  writeFileSync(join(cwd, 'try.zsh'), ['source ./bench.zsh', ...asBash].join('\n'))
  const { stdout, stderr } = await execa('zsh', ['-f', 'try.zsh'], { cwd, env: { HOME: cwd } })
  expect(stderr).toBe('')
  checkOffers(stdout.split('\n'), true)
  const registered = await execa('zsh', ['-f', '-c', 'source ./bench.zsh; echo $_comps[bench]'], {
    cwd,
    env: { HOME: cwd },
  })
  expect(registered.stdout).toContain('_bench')
})
