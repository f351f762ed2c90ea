import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { program, recordsOf, root } from '../../helpers/runs/cli.ts'

/** Calls bench under a umask. */
async function benchUnder(umask: string, args: readonly string[], cwd: string) {
  const words = ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, program, ...args]
  const env = { ORCHESTRATION_BENCH_CACHE: join(cwd, 'cache') }
  return await execa('sh', words, { cwd, env, reject: false, stdin: 'ignore' })
}

const writable = (folder: string): string[] =>
  [folder, ...readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path)))].filter(
    (path) => !lstatSync(path).isSymbolicLink() && (lstatSync(path).mode & 0o022) !== 0,
  )

const plan = argv`--tasks duration-text,ferry-morning --methods baseline,chained --keep-workspaces all
  --agents oracle --tools write --quiet`

it.each(['000', '077'])(
  'under umask %s nothing that bench writes can be changed by others, and its programs still run',
  { timeout: 120_000 },
  async (umask) => {
    const cwd = tempFolder()
    const ended = await benchUnder(umask, [...plan, '--out', 'results/run'], cwd)
    expect(ended, ended.stderr).toMatchObject({ exitCode: 0 })
    expect(ended.stderr).not.toContain('can be changed by other users')
    for (const record of recordsOf(join(cwd, 'results/run')))
      expect(record.outcome.status, JSON.stringify(record.outcome)).toBe('completed')
    await benchUnder(
      umask,
      ['report', 'results/run', '--format', 'markdown,html,svg', '--out', 'report'],
      cwd,
    )
    expect(writable(cwd).filter((path) => path !== cwd)).toEqual([])
  },
)

it('a run folder that others can change is told when it is resumed, and by the API', {
  timeout: 60_000,
}, async () => {
  const cwd = tempFolder()
  const args = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--out', 'run', '--quiet']
  expect(await benchUnder('022', args, cwd)).toMatchObject({ exitCode: 0 })
  chmodSync(join(cwd, 'run/steps.jsonl'), 0o666)
  const { stderr } = await benchUnder('022', ['run', '--resume', 'run'], cwd)
  expect(stderr).toContain('run/steps.jsonl can be changed by other users of this machine')
  expect(stderr).toContain('chmod -R go-w run')

  const code = `
    import { run } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
    const seen = []
    await run({ tasks: 'ferry-morning', methods: 'baseline', out: process.argv[1], onEvent: (event) => seen.push(event) })
    console.log(process.umask(), seen.filter(({ message = '' }) => message.includes('can be changed by other')).length)`
  const asked = async (umask: string) => {
    const words = argv`-c ${`umask ${umask}; exec "$@"`} sh ${process.execPath} --input-type=module
      -e ${code}`
    return (await execa('sh', [...words, `api-${umask}`], { cwd })).stdout
  }
  expect(await asked('000')).toBe('0 1')
  expect(await asked('022')).toBe('18 0')
})
