import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { document } from '../../helpers/graph/document-files.ts'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, refused } from '../../helpers/runs/cli.ts'

describe('bench plan refuses a bad document', () => {
  const agents = 'version: "0.5"\nagents: { a: {} }\ntasks: { t: { agent_ref: a, prompt: Do it. } }\n'
  const steps = (list: string) => `${agents}run:\n  workflow:\n    kind: concurrent\n    steps:\n${list}`

  it.each([
    ['one field', `${document}description: ${'x'.repeat(10_000_000)}\n`],
    ['many lines', `${document}${'# a comment\n'.repeat(800_000)}`],
    ['many steps', `${steps('')}${'      - { id: a, task: t }\n'.repeat(400_000)}`],
    ['no document', 'x'.repeat(10_000_000)],
  ])('10 MB of %s, with little memory', async (_, text) => {
    const cwd = folderOf({ 'large.yaml': text })
    const env = { NODE_OPTIONS: '--max-old-space-size=128' }
    const before = performance.now()
    const { stderr } = await refused(argv`plan large.yaml`, ['[large.yaml]', 'the limit is 1000000'], {
      cwd,
      env,
    })
    expect(performance.now() - before, 'a reader of it all takes minutes').toBeLessThan(20_000)
    expect(stderr.split('\n')).toHaveLength(1)
  })

  it('a run reports the same', async () => {
    const cwd = folderOf({ 'bad.yaml': steps('      - { id: a, task: t, needs: [gone] }\n') })
    const ended = await bench(['--tasks', 'ferry-morning', '--methods', 'dag:bad.yaml'], { cwd })
    const { stderr } = await refused(['plan', 'bad.yaml'], ['gone'], { cwd })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(stderr)
    expect(readdirSync(cwd)).toEqual(['bad.yaml'])
  })

  needs('Linux').it('a pipe, a folder and a device are refused, and none is waited for', async () => {
    const cwd = folderOf({})
    mkdirSync(join(cwd, 'folder'))
    await execa('mkfifo', [join(cwd, 'pipe.yaml')])
    const unfit = {
      './pipe.yaml': 'is a pipe, not a file',
      './folder': 'is a folder',
      '/dev/zero': 'has more than 16 MB',
    }
    for (const [file, says] of Object.entries(unfit)) {
      await refused(['plan', file], [`[${file}] ${says}`], { cwd })
      for (const method of ['dag', 'collaboration'])
        await refused(argv`--tasks ferry-morning --methods ${method}:${file}`, [`[${file}] ${says}`], {
          cwd,
        })
    }
  })

  it('a run refuses a file in another encoding as bench plan does', async () => {
    const cwd = folderOf({ 'latin.yaml': Buffer.from(document.replace('Write it.', 'Écris-le.'), 'latin1') })
    const says = ['[latin.yaml] is not UTF-8 text. Give the path of a text file.']
    await refused(['plan', 'latin.yaml'], says, { cwd })
    await refused(['--tasks', 'ferry-morning', '--methods', 'dag:latin.yaml'], says, { cwd })
  })

  it('a run with a workflow of another method reports the same', async () => {
    const cwd = folderOf({ 'stages.yaml': 'name: x\nstages: []\n' })
    const says = ['[stages.yaml] this is a workflow of collaboration', '--methods collaboration:stages.yaml']
    await refused(['--tasks', 'ferry-morning', '--methods', 'dag:stages.yaml'], says, { cwd })
    await refused(['plan', 'stages.yaml'], says, { cwd })
  })
})
