import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { filesOf as filesShown } from '../../helpers/guides/blocks.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, program, recordLines, refused, until } from '../../helpers/runs/cli.ts'

const shown = filesShown('docs/reference/shards.md')
const script = (name: string) => shown[name] ?? ''

/** A folder with the files that the page shows, where `bench` and `npx` start the built command line. */
function placeOf(): { place: string; env: Record<string, string> } {
  const call = (skipped: string) => `#!/bin/sh\n${skipped}exec ${process.execPath} ${program} "$@"\n`
  const place = folderOf({ ...shown, 'bin/bench': call(''), 'bin/npx': call('shift\n') })
  return { place, env: { PATH: `${join(place, 'bin')}:${process.env.PATH}` } }
}

/** Runs a text in a shell, as one does who types it. */
const shell = (text: string, { place, env }: ReturnType<typeof placeOf>, more: Record<string, string> = {}) =>
  execa('/bin/sh', ['-c', `chmod +x bin/*; ${text}`], { cwd: place, env: { ...env, ...more } })

/** The run of the page's recipes, without shards. */
async function expectJoined(place: string, run: string) {
  const whole = join(place, 'without')
  await benchOk(argv`--tasks answers --methods baseline,sequential --out ${whole} --quiet`)
  expect(recordLines(join(place, run))).toEqual(recordLines(whole))
}

it('the script of the Slurm array runs each shard by its variable, and a requeued task goes on', async () => {
  const setting = placeOf()
  const { place } = setting
  for (const id of ['1', '2', '3', '4', '2'])
    await shell('sh shards.sh', setting, { SLURM_ARRAY_TASK_ID: id, SLURM_ARRAY_TASK_MAX: id })
  await shell('bench runs join shards/* --out whole', setting)
  await expectJoined(place, 'whole')
})

needs('slurm', 'root').it('the same script runs as an array of a Slurm of one node', async () => {
  const setting = placeOf()
  const { place } = setting
  const conf = await startSlurm(place)
  await shell('sbatch --wait shards.sh', setting, { SLURM_CONF: conf })
  expect(readdirSync(join(place, 'shards'))).toEqual(['1', '2', '3', '4'])
  await shell('bench runs join shards/* --out whole', setting)
  await expectJoined(place, 'whole')
})

/** Starts a Slurm of this machine alone, until the end of the test. Returns its configuration. */
async function startSlurm(place: string): Promise<string> {
  const [folder, node] = [join(place, 'slurm'), hostname().split('.')[0]]
  const at = (name: string) => join(folder, name)
  for (const name of ['state', 'spool']) mkdirSync(at(name), { recursive: true })
  writeFileSync(at('key'), Buffer.alloc(128, 7), { mode: 0o400 })
  writeFileSync(
    at('slurm.conf'),
    `ClusterName=one
SlurmctldHost=${node}(127.0.0.1)
SlurmctldPort=${20_000 + (process.pid % 10_000)}
SlurmdPort=${30_000 + (process.pid % 10_000)}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${at('munge')}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
StateSaveLocation=${at('state')}
SlurmdSpoolDir=${at('spool')}
SlurmctldPidFile=${at('ctld.pid')}
SlurmdPidFile=${at('d.pid')}
NodeName=${node} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
`,
  )
  const env = { ...process.env, SLURM_CONF: at('slurm.conf') }
  const start = (file: string, args: string[]) => {
    const child = spawn(file, args, { env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
  }
  const files = ['socket=munge', 'key-file=key', 'pid-file=m.pid', 'log-file=m.log', 'seed-file=m.seed']
  const munge = files.map((text) => `--${text.replace('=', `=${folder}/`)}`)
  start('munged', ['--foreground', '--force', ...munge])
  await until(() => readdirSync(folder).includes('munge'))
  start('slurmctld', ['-D'])
  start('slurmd', ['-D'])
  const isReady = async () =>
    (await execa('sinfo', ['-h', '-o', '%t'], { env, reject: false })).stdout === 'idle'
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 300))
  return at('slurm.conf')
}

/** Names of the fields of an object of Kubernetes that its published schema does not have. */
const published = tableOf<Readonly<Record<string, string>>>(import.meta.url, 'schema')
const strange = (kind: string, value: object) =>
  Object.keys(value).filter((name) => !published[kind]?.split(/\s+/).includes(name))

it('the indexed Job has the fields of batch/v1, and its pods run each shard by their index, again where one ended', async () => {
  const job = parse(script('job.yaml'))
  const { template, ...spec } = job.spec
  const [container] = template.spec.containers
  const [volume] = template.spec.volumes
  expect([
    ...strange('Job', job),
    ...strange('JobSpec', job.spec),
    ...strange('PodTemplateSpec', template),
    ...strange('PodSpec', template.spec),
    ...strange('Container', container),
    ...container.volumeMounts.flatMap((mount: object) => strange('VolumeMount', mount)),
    ...strange('Volume', volume),
    ...strange('PersistentVolumeClaimVolumeSource', volume.persistentVolumeClaim),
  ]).toEqual([])
  // What the server says of these fields: an index for each pod needs completions, and a limit by index this restart policy.
  expect(spec).toMatchObject({ completionMode: 'Indexed', completions: 4, backoffLimitPerIndex: 3 })
  expect(template.spec.restartPolicy).toBe('Never')
  expect(container.volumeMounts[0].name).toBe(volume.name)

  const setting = placeOf()
  const [, , text] = [...container.command, ...container.args]
  for (const index of ['0', '1', '2', '3', '1'])
    await shell(text.replaceAll('/shards/', 'shards/'), setting, { JOB_COMPLETION_INDEX: index })
  await shell('bench runs join shards/* --out whole', setting)
  await expectJoined(setting.place, 'whole')
})

it('the jobs of the CI matrix run, and the last one joins, gates and publishes', async () => {
  const { jobs } = parse(script('shards.yml'))
  const setting = placeOf()
  const { place } = setting
  const commandsOf = (job: { steps: { run?: string }[] }) =>
    job.steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [run]))
  const matrix: number[] = jobs.shard.strategy.matrix.k
  for (const k of matrix)
    for (const command of commandsOf(jobs.shard))
      await shell(command.replaceAll(/\$\{\{ matrix\.k \}\}/g, String(k)), setting)
  // As the upload and the download of artifacts do.
  for (const k of matrix) cpSync(join(place, `s${k}`), join(place, 'shards', `s${k}`), { recursive: true })
  for (const command of commandsOf(jobs.join)) await shell(command, setting)
  expect(readdirSync(place)).toEqual(expect.arrayContaining(['junit.xml', 'whole.html']))
  await expectJoined(place, 'whole')
  await refused(['runs', 'join', join(place, 's1'), '--out', join(place, 'whole')], [/already holds a run/])
})
