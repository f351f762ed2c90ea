import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { Config } from '../schema/run/config.ts'
import { UserError } from '../text/errors.ts'
import { configName } from './config/config-file.ts'
import { configTemplate, schemaName } from './config/config-template.ts'
import { benchCommand, packagedFile } from './terminal/bench-command.ts'

/** `bench init`: writes a config file that `bench run` can use as it is, and its JSON Schema. It never overwrites a config file. */
export default async function init(): Promise<number> {
  write(configName, configTemplate(packagedFile('docs/guides')), 'wx')
  try {
    write(schemaName, `${JSON.stringify(configSchema(), null, 2)}\n`, 'w')
  } catch (error) {
    rmSync(configName)
    throw error
  }
  process.stdout.write(`${configName} and ${schemaName} are written. Next: ${benchCommand()} run\n`)
  return 0
}

/** Returns the JSON Schema of the config file, for editors. */
export function configSchema(): Record<string, unknown> {
  return { title: configName, ...z.toJSONSchema(Config, { io: 'input' }) }
}

/** Writes the whole file or nothing; with `wx` only if it does not exist. Throws `UserError` if that fails. */
function write(file: string, text: string, flag: 'w' | 'wx'): void {
  const isNew = !existsSync(file)
  try {
    writeFileSync(file, text, { flag })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new UserError({ where: file, what: 'already exists', fix: 'Edit it, or remove it first.' })
    if (isNew) rmSync(file, { force: true })
    throw new UserError({
      where: resolve(file),
      what: `cannot be written: ${message.replace(/, .*$/s, '')}`,
      fix: 'Run bench init in a writable folder, on a disk with free space.',
    })
  }
}
