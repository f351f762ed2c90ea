import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { cacheFolder } from './cache-folder.ts'
import { sha256 } from './canonical.ts'
import { keepFile } from './keep-file.ts'
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

/** Most files whose data are kept, and how long their JSON may be: all of it is read at each start. */
const most = 500
const longest = 4096

/** Opens what code of this `build` has kept in a folder; what is damaged, or not there, holds nothing. */
export function openKeptYaml(folder: string, build: string): KeptYaml {
  const path = join(folder, 'yaml.json')
  const known = restore(path)
  let hasNew = false
  const keep = (key: string, json: string) => {
    known.delete(key)
    known.set(key, json)
  }
  return {
    read(kind, text, read) {
      const key = sha256(JSON.stringify([build, kind, text]))
      const json = known.get(key)
      if (json !== undefined) {
        keep(key, json)
        return { data: JSON.parse(json), where: (...at) => read()?.where(...at) ?? at.join('.') }
      }
      const made = asKept(read())
      if (made && made.json.length <= longest) {
        keep(key, made.json)
        hasNew = true
      }
      return made?.file
    },
    save() {
      if (!hasNew) return
      hasNew = false
      const content = JSON.stringify([...known].slice(-most))
      // A file that was cut short is told by its sum.
      keepFile(path, `${crc32(content)}\n${content}`)
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

/** A file as later processes will have it: V8 finds fields by their place only in what was made at one stroke. */
function asKept<Data>(file: YamlFile<Data> | undefined) {
  if (!file) return undefined
  const json = JSON.stringify(file.data)
  return { json, file: { ...file, data: JSON.parse(json) as Data } }
}

let ours: KeptYaml | undefined

/**
 * `read`, or what earlier processes of this build have read: to take a file apart and check it is a tenth of a short run,
 * most of it code that runs once. Kept beside the mutants, where no sandbox shows it.
 */
export function readOnce<Data>(kind: string, text: string, read: Read<Data>): YamlFile<Data> | undefined {
  const file = fileURLToPath(import.meta.url)
  // A file of the bundle is named by what it holds; of sources nobody knows whether they have changed since.
  if (!file.endsWith('.cjs')) return asKept(read())?.file
  if (!ours) {
    ours = openKeptYaml(cacheFolder(), basename(file))
    process.once('exit', ours.save)
  }
  return ours.read(kind, text, read)
}
