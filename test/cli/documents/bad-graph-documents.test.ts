import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { document, folderOf } from '../../helpers/graph/document-files.ts'
import { needs } from '../../helpers/house/needs.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, refused } from '../../helpers/runs/cli.ts'

describe('bench plan reports a bad document once, with its place', () => {
  const agents = 'version: "0.5"\nagents: { a: {} }\ntasks: { t: { agent_ref: a, prompt: Do it. } }\n'
  const steps = (list: string) => `${agents}run:\n  workflow:\n    kind: concurrent\n    steps:\n${list}`
  const bomb = Array.from(
    { length: 12 },
    (_, i) => `x${i + 1}: &x${i + 1} [${Array(10).fill(`*x${i}`).join(', ')}]`,
  )
  const bad: Record<string, [text: string, ...says: (string | RegExp)[]]> = {
    cycle: [
      steps(
        '      - { id: a, task: t, needs: [c] }\n      - { id: b, task: t, needs: [a] }\n      - { id: c, task: t, needs: [b] }\n',
      ),
      /cycle\.yaml:[89]/,
      'a (line 8) -> c (line 10) -> b (line 9) -> a',
    ],
    'self-cycle': [steps('      - { id: a, task: t, needs: [a] }\n'), /self-cycle\.yaml:8/],
    'unknown-step': [steps('      - { id: a, task: t, needs: [gone] }\n'), /unknown-step\.yaml:8/, 'gone'],
    'unknown-task': [steps('      - { id: a, task: tt }\n'), /unknown-task\.yaml:8/, '"tt"'],
    'unknown-agent': [
      document.replace('agent_ref: critic', 'agent_ref: crtic'),
      /unknown-agent\.yaml:7/,
      'critic',
    ],
    'unknown-workflow': [
      document.replace('workflow_ref: main', 'workflow_ref: mian'),
      /unknown-workflow\.yaml:14/,
      'main',
    ],
    'both-forms': [
      `${document.trimEnd().replace('workflow_ref: main', 'workflow_ref: main, workflow: { steps: [{ id: a, task: draft }] }')}\n`,
      /both-forms\.yaml:14/,
      'workflow_ref',
    ],
    'no-form': [document.replace('workflow_ref: main', ''), /no-form\.yaml:14/, 'workflow'],
    'two-steps': [
      steps('      - { id: a, task: t }\n      - { id: a, task: t }\n'),
      /two-steps\.yaml:[89]/,
      '"a"',
    ],
    'two-keys': [document.replace('  critic:', '  writer:'), /two-keys\.yaml:4/],
    'wrong-id': [
      document.replace('critic: { work', 'critic: { id: critc, work'),
      /wrong-id\.yaml:4/,
      'critic',
    ],
    'unknown-kind': [steps('      - { id: a, pattern: debtae }\n'), /unknown-kind\.yaml:8/, 'debate'],
    'unknown-provider-kind': [
      document.replace('agents:', 'providers: { p: { kind: local_olama, config: { model: m } } }\nagents:'),
      /unknown-provider-kind\.yaml:2/,
      'local_ollama',
    ],
    'unknown-field': [
      document.replace('agent_ref: writer, prompt', 'agent_ref: writer, promt: x, prompt'),
      /unknown-field\.yaml:6/,
      'prompt',
    ],
    'missing-field': [
      document.replace(', prompt: Check it.', ''),
      /missing-field\.yaml:7/,
      'prompt',
      'missing',
    ],
    'wrong-version': [document.replace('"0.5"', '"0.4"'), /wrong-version\.yaml:1/, '0.5'],
    'no-version': [document.replace('version: "0.5"\n', ''), 'no-version.yaml', 'version', '0.5'],
    'alias-bomb': [`${agents}x0: &x0 [a, a]\n${bomb.join('\n')}\n`, 'alias-bomb.yaml', /alias/i],
    'no-yaml': ['version: "0.5"\nagents: [\n', /no-yaml\.yaml:\d/, 'YAML'],
    deep: [`${agents}run: ${'['.repeat(5000)}`, /deep\.yaml:4/, 'deep'],
  }

  it.each(Object.keys(bad))('%s', async (name) => {
    const [text, ...says] = bad[name] ?? ['']
    const cwd = folderOf({ [`${name}.yaml`]: text })
    const { stderr } = await refused(['plan', `${name}.yaml`], says, { cwd })
    const lines = stderr.split('\n')
    expect(new Set(lines).size, 'no line twice').toBe(lines.length)
    expect(lines.length).toBeLessThanOrEqual(10)
  })

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
