import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordsOf, refused, stepsOf } from '../../helpers/runs/cli.ts'
import { env, everyFile, leaks, nameOf, places, plant, secrets, write } from './planted-secrets.ts'

it('no secret gets into the run folder or onto the screen, and replay and resume work the same', async () => {
  const cwd = tempFolder()
  plant(cwd)
  const args = [
    ...[
      '--tasks',
      `native:${join(cwd, 'suite')}`,
      '--methods',
      'leaky.mjs[key=optionsecret0123456789],B=leaky.mjs[more=throw]',
    ],
    ...[
      '--mode',
      'live',
      '--agents',
      'scripted:agent.mjs',
      '--secret',
      'PLAIN_STATE',
      '--out',
      'run',
      '--parallel',
      '1',
      // One retry, which shows the note of a retry.
      '--retries',
      '1',
    ],
  ]
  const ended = await bench(args, { cwd, env })
  const run = join(cwd, 'run')
  expect(leaks({ stdout: ended.stdout, stderr: ended.stderr }, run)).toEqual([])
  // All planted secrets were really in the inputs.
  const kept = everyFile(run)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const marked = places.filter((place) => (kept + ended.stderr).includes(`[redacted ${nameOf(place)}]`))
  expect(marked).toEqual(places.filter((place) => !['stray', 'title', 'answer'].includes(place)))
  expect(recordsOf(run).map(({ outcome }) => outcome.status)).toEqual(['completed', 'failed'])
  // A sandbox has no key in its environment.
  expect(stepsOf(run).filter(({ kind }) => kind === 'check').length).toBe(2)
  expect(kept).not.toMatch(/[A-Z]+_API_KEY,[A-Z]+_API_KEY/)

  const replayed = await bench(['replay', 'run'], { cwd, env })
  expect(replayed.stdout).toContain('no divergence')
  const trial = recordsOf(run)[0]?.trial ?? ''
  for (const more of [
    ['show', 'run'],
    ['show', 'run', trial, '--full'],
    ['state', 'run'],
    ['report', 'run'],
    ['tasks', `native:${join(cwd, 'suite')}`],
  ]) {
    const { stdout, stderr } = await bench(more, { cwd, env })
    expect(leaks({ stdout, stderr }, run), more.join(' ')).toEqual([])
  }
  const gone = await bench(['--resume', 'run'], { cwd, env: { PLAIN_STATE: undefined } })
  expect(gone.stderr).toMatch(/PLAIN_STATE,.* were set when this run started: set them again first/)
})

it('the secrets of a free request’s folder stay out of request, prompts and artifacts', async () => {
  const cwd = tempFolder()
  write(cwd, {
    'request.md': `Rotate ${secrets.instruction}.`,
    'work/.env': `KEY=${secrets.file}\n`,
    'agent.mjs':
      "export default ({ prompt }) => prompt + '\\nFILE: .env\\n```\\nOLD=' + process.env.FILE_API_KEY + '\\n```'",
  })
  const args = [
    '--instruction',
    'request.md',
    '--workspace',
    'work',
    '--include',
    '.env',
    '--methods',
    'baseline',
    '--mode',
    'live',
    '--agents',
    'scripted:agent.mjs',
  ]
  const ended = await bench([...args, '--out', 'run'], { cwd, env })
  expect(ended.code).toBe(0)
  expect(leaks({ stdout: ended.stdout, stderr: ended.stderr }, join(cwd, 'run'))).toEqual([])
  const trial = recordsOf(join(cwd, 'run'))[0]?.trial ?? ''
  expect(readFileSync(join(cwd, 'run/artifacts', trial, 'files/.env'), 'utf8')).toBe(
    'OLD=[redacted FILE_API_KEY]\n',
  )
  expect(await benchOk(['replay', 'run'], { cwd, env })).toContain('no divergence')
  expect((await bench(['--resume', 'run'], { cwd, env })).stderr).not.toContain('has changed')
})

it('secrets in names are refused, no error prints one, and values that cannot be searched for are reported', async () => {
  const cwd = tempFolder()
  const setting = { cwd, env: { ...env, SHORT_TOKEN: 'short', NAME_TOKEN: 'lamp-paths' } }
  await refused(['--tasks', secrets.stray, '--methods', 'baseline'], [/\[redacted STRAY_API_KEY\]/], setting)
  await refused(
    ['--tasks', 'lamp-paths', '--methods', 'baseline', '--dev', '--secret', 'NOT_SET'],
    ['NOT_SET'],
    setting,
  )
  const { code, stderr } = await bench(
    ['--tasks', 'answers/*', '--methods', 'baseline', '--out', 'run'],
    setting,
  )
  expect(code).toBe(2)
  expect(stderr).toContain('run.json tasks')
  expect(stderr).toContain('[redacted NAME_TOKEN]')
  expect(existsSync(join(cwd, 'run'))).toBe(false)
  const printed = await bench(['--tasks', 'recipe-scale', '--methods', 'baseline', '--out', 'run'], setting)
  expect(printed.code).toBe(0)
  expect(printed.stderr).toContain('not redacted, because the value is too short or too common: SHORT_TOKEN')

  write(cwd, {
    'role.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'role', summary: 's', options: z.object({}),
  roles: { [process.env.OPTION_API_KEY]: 'produce' },
  run: async ({ ask }) => ({ stopReason: 'done', answer: await ask(process.env.OPTION_API_KEY, 'go') }) })`,
  })
  const role = ['--tasks', 'recipe-scale', '--methods', './role.mjs', '--out', 'roles']
  await refused(role, ['run.json methods', '[redacted OPTION_API_KEY]'], setting)
  expect(existsSync(join(cwd, 'roles'))).toBe(false)

  write(cwd, { 'throws.mjs': "throw new Error('loaded with ' + process.env.STRAY_API_KEY)" })
  const broken = await bench(
    ['--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'scripted:throws.mjs'],
    {
      ...setting,
      env: { ...env, BENCH_DEBUG: '1' },
    },
  )
  expect(broken.stderr).toContain('loaded with [redacted STRAY_API_KEY]')
})
