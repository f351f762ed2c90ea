import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { saveArtifacts } from '../../../src/commands/session/artifacts.ts'
import { readFolder } from '../../../src/loop/branch/folder.ts'
import type { FinishedTrial } from '../../../src/loop/trial/grade-trial.ts'
import { unprivilegedUser } from '../../../src/sandbox/adapters/find-bubblewrap.ts'
import { createPrivateFolderAround } from '../../../src/sandbox/folders/private-folder.ts'
import { removeTreeAsync } from '../../../src/sandbox/folders/remove-tree.ts'
import { needs } from '../../helpers/house/needs.ts'
import { makeDeep } from '../../helpers/machine/deep-folders.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const planted = 'planted, and nobody else’s'
const isRoot = process.getuid?.() === 0
const uid = isRoot ? unprivilegedUser : undefined

/** What a program may leave in place of a file of bench, by the path of that file and a folder outside. */
const left: Record<string, (place: string, outside: string) => void> = {
  'a link to a file': (place, outside) => symlinkSync(join(outside, 'secret'), place),
  'a link to a folder': (place, outside) => symlinkSync(outside, place),
  'a link to nothing': (place, outside) => symlinkSync(join(outside, 'new'), place),
  'a link to itself': (place) => symlinkSync(place, place),
  'a link to a device': (place) => symlinkSync('/dev/zero', place),
  'a hard link': (place, outside) => linkSync(join(outside, 'secret'), place),
  'a FIFO': (place) => void expect(spawnSync('mkfifo', [place]).status).toBe(0),
  'a folder with links': (place, outside) => {
    mkdirSync(place)
    symlinkSync(outside, join(place, 'link'))
    linkSync(join(outside, 'secret'), join(place, 'hard'))
  },
  'a closed folder': (place) => {
    mkdirSync(place)
    writeFileSync(join(place, 'file'), '')
    chmodSync(place, 0)
  },
  'a closed file': (place) => writeFileSync(place, 'old', { mode: 0 }),
}

/** Creates a folder that a program changes, and one outside that must stay unchanged. */
function scene() {
  const [folder, outside] = [join(tempFolder(), 'work'), tempFolder()]
  mkdirSync(folder)
  mkdirSync(join(outside, 'inner'))
  for (const path of ['secret', 'inner/secret']) writeFileSync(join(outside, path), planted, { mode: 0o640 })
  const look = () =>
    ['', 'secret', 'inner', 'inner/secret'].map((path) => {
      const { mode, uid, gid, mtimeMs } = statSync(join(outside, path))
      return { mode, uid, gid, mtimeMs }
    })
  const before = look()
  const untouched = () => {
    expect(look()).toEqual(before)
    expect(readdirSync(outside).sort()).toEqual(['inner', 'secret'])
    for (const path of ['secret', 'inner/secret'])
      expect(readFileSync(join(outside, path), 'utf8')).toBe(planted)
  }
  return { folder, outside, untouched }
}

// The path of a file of bench, and the part of it that a program has replaced.
const file = '.a/b/settings.json'
const places = ['.a', '.a/b', file]
const kinds = Object.keys(left)
const cases = places.flatMap((place) => kinds.map((kind) => ({ place, kind })))

function leave(kind: string, folder: string, place: string, outside: string): void {
  mkdirSync(dirname(join(folder, place)), { recursive: true })
  left[kind]?.(join(folder, place), outside)
}

const finished = (trial: string): FinishedTrial =>
  ({
    record: { trial },
    branch: { state: { base: {}, changed: new Map([[file, 'ours']]), answer: 'ours' } },
  }) as unknown as FinishedTrial

describe.each(cases)('where a program has left $kind as $place', ({ place, kind }) => {
  it('the settings in HOME are written again, and nothing outside is touched', async () => {
    const { folder: home, outside, untouched } = scene()
    const workspace = tempFolder()
    leave(kind, home, place, outside)
    for (let again = 0; again < 2; again++) {
      const around = createPrivateFolderAround({ workspace, home, settings: { [file]: 'ours' } }, uid)
      expect(await around.remove()).toBe(true)
    }
    expect(readFileSync(join(home, file), 'utf8')).toBe('ours')
    expect(lstatSync(join(home, file)).isFile()).toBe(true)
    if (uid !== undefined) for (const path of [home, join(home, file)]) expect(statSync(path).uid).toBe(uid)
    untouched()
  })

  it('artifacts are written again, and nothing outside is touched', () => {
    const { folder, outside, untouched } = scene()
    leave(kind, folder, `artifacts/t1/files/${place}`, outside)
    saveArtifacts(folder, finished('t1'))
    expect(readFileSync(join(folder, 'artifacts/t1/files', file), 'utf8')).toBe('ours')
    untouched()
  })

  it('its workspace is read and removed without anything outside', async () => {
    const { folder, outside, untouched } = scene()
    writeFileSync(join(folder, 'work.txt'), 'work')
    leave(kind, folder, place, outside)
    const { files } = readFolder(folder)
    expect(files['work.txt']).toBe('work')
    expect(JSON.stringify(files)).not.toContain('planted')
    untouched()
    await removeTreeAsync(folder)
    expect(existsSync(folder)).toBe(false)
    untouched()
  })

  needs('root').it('the user gets its workspace and nothing outside', async () => {
    const { folder: workspace, outside, untouched } = scene()
    leave(kind, workspace, place, outside)
    const around = createPrivateFolderAround({ workspace, home: join(tempFolder(), 'home') }, uid)
    expect(await around.remove()).toBe(true)
    expect(statSync(workspace).uid).toBe(uid)
    untouched()
  })
})

describe.each(['a link to a folder', 'a link to a file', 'a link to nothing', 'a FIFO'])(
  'where a program has put %s in the place of a whole folder',
  (kind) => {
    it('HOME is created again, and nothing outside is touched', async () => {
      const { folder: home, outside, untouched } = scene()
      const workspace = tempFolder()
      rmSync(home, { recursive: true })
      left[kind]?.(home, outside)
      await createPrivateFolderAround({ workspace, home, settings: { [file]: 'ours' } }, uid).remove()
      expect(lstatSync(home).isDirectory()).toBe(true)
      expect(readFileSync(join(home, file), 'utf8')).toBe('ours')
      untouched()
    })

    it('artifacts of its trial are created again', () => {
      const { folder, outside, untouched } = scene()
      mkdirSync(join(folder, 'artifacts'))
      left[kind]?.(join(folder, 'artifacts/t1'), outside)
      saveArtifacts(folder, finished('t1'))
      expect(readFileSync(join(folder, 'artifacts/t1/answer.md'), 'utf8')).toBe('ours')
      untouched()
    })

    it('nothing is read in place of the workspace; the replacement is reported and removed', async () => {
      const { folder, outside, untouched } = scene()
      rmSync(folder, { recursive: true })
      left[kind]?.(folder, outside)
      expect(readFolder(folder)).toEqual({
        files: {},
        skipped: [{ path: '.', reason: 'cannot be read (ENOTDIR)' }],
        unread: ['.'],
      })
      await removeTreeAsync(folder)
      expect(() => lstatSync(folder)).toThrow('ENOENT')
      untouched()
    })
  },
)

it('settings are written to HOME, however deep the folders are that a program has created there', async () => {
  const { folder: home } = scene()
  const workspace = tempFolder()
  for (const folder of [home, join(home, '.a')]) makeDeep(folder, 220)
  await createPrivateFolderAround({ workspace, home, settings: { '.a': 'ours' } }, uid).remove()
  expect(readFileSync(join(home, '.a'), 'utf8')).toBe('ours')
  await removeTreeAsync(home)
  expect(existsSync(home)).toBe(false)
})

it('a file whose path leads out of HOME is not written', () => {
  const { folder: home, outside, untouched } = scene()
  for (const path of ['..', '../x', 'a/../../x', '', '.', `a/../../${outside}/x`])
    expect(() =>
      createPrivateFolderAround({ workspace: tempFolder(), home, settings: { [path]: 'x' } }),
    ).toThrow('is not the path of a file in the folder')
  untouched()
})
