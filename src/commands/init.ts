import { existsSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { Config } from '../schema/config.ts'
import { configName } from './config-file.ts'
import { configTemplate, schemaName } from './config-template.ts'

/** `bench init`: writes a config file in which all is commented out, and its schema beside it. Never over a file that is there. */
export default async function init(): Promise<number> {
  if (existsSync(configName))
    throw new UserError({
      where: configName,
      what: 'is there already',
      fix: 'Remove it first, or edit it.',
    })
  writeFileSync(schemaName, `${JSON.stringify(configSchema(), null, 2)}\n`)
  writeFileSync(configName, configTemplate)
  process.stdout.write(`${configName} and ${schemaName} are written: uncomment what you need\n`)
  return 0
}

/** The file's JSON Schema, for editors. */
export function configSchema(): Record<string, unknown> {
  return { title: configName, ...z.toJSONSchema(Config, { io: 'input' }) }
}
