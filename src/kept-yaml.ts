import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { sha256 } from './canonical.ts'
import type { YamlFile } from './yaml-file.ts'

type Read<Data> = () => YamlFile<Data> | undefined

/** The data of YAML files that were found right, by kind and text. */
export interface KeptYaml {
  /**
   * What `read` makes of the text, or has made of it in an earlier process; `kind` names all else that it depends on. A text
   * with problems is read each time, so that they are told each time.
   */
  read<Data>(kind: string, text: string, read: Read<Data>): YamlFile<Data> | undefined
  /** Writes down what is new, for later processes. Not being able to is no error: they read it again. */
  save(): void
}

/** Most files whose data are kept. */
const most = 500

/** Opens what is kept in a file; one that is damaged, or not there, holds nothing. */
export function openKeptYaml(path: string): KeptYaml {
  const known = restore(path)
  let hasNew = false
  return {
    read(kind, text, read) {
      const key = sha256(`${kind}\n${text}`)
      const json = known.get(key)
      if (json !== undefined)
        return { data: JSON.parse(json), where: (...at) => read()?.where(...at) ?? at.join('.') }
      const made = read()
      if (!made) return undefined
      const kept = JSON.stringify(made.data)
      known.set(key, kept)
      hasNew = true
      // As every later process will have it.
      return { ...made, data: JSON.parse(kept) }
    },
    save() {
      if (!hasNew) return
      hasNew = false
      const content = JSON.stringify([...known].slice(-most))
      const draft = `${path}.${process.pid}`
      try {
        // Synced, since a file that is cut short would take the place of a whole one. Answers may stand in it.
        writeFileSync(draft, `${crc32(content)}\n${content}`, { flush: true, mode: 0o600 })
        renameSync(draft, path)
      } catch {
        try {
          rmSync(draft, { force: true })
        } catch {}
      }
    },
  }
}

function restore(path: string): Map<string, string> {
  try {
    const [sum, content = ''] = readFileSync(path, 'utf8').split('\n')
    if (Number(sum) === crc32(content)) return new Map(JSON.parse(content))
  } catch {}
  return new Map()
}

let ours: KeptYaml | undefined

/**
 * `read`, with what earlier processes of this build have read: to take a file apart and check it is a twentieth of a short
 * run, most of it code that runs once. Kept beside the compiled code, and like it gone with the next build.
 */
export function readOnce<Data>(kind: string, text: string, read: Read<Data>): YamlFile<Data> | undefined {
  const file = fileURLToPath(import.meta.url)
  // Of sources nobody knows whether they have changed since.
  if (!file.endsWith('.cjs')) return read()
  if (!ours) {
    ours = openKeptYaml(join(dirname(file), 'kept', 'yaml'))
    process.once('exit', ours.save)
  }
  return ours.read(kind, text, read)
}
