import { readFileSync } from 'node:fs'
import { type Problem, UserError } from '../../errors.ts'
import { PriceFile } from '../../schema/prices.ts'
import { readYaml } from '../../yaml-file.ts'

/** Reads a YAML file of prices. Throws `UserError` with everything that is wrong with it. */
export function readPriceFile(path: string): PriceFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const what = `cannot be read: ${(error as Error).message}`
    throw new UserError({ where: `--prices ${path}`, what, fix: 'Give a YAML file of prices.' })
  }
  const problems: Problem[] = []
  const file = readYaml(text, path, PriceFile, problems, {
    prices: 'Write agents and their prices under it.',
  })
  if (!file) throw new UserError(problems)
  return file.data
}
