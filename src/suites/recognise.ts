import { takeSample } from './files/sample.ts'
import type { Importer, Sample } from './suite.ts'

/** Returns the importer whose format a sample has: the first that is certain, else the first that can read it. */
export function recognise(sample: Sample, importers: readonly Importer[]): Importer | undefined {
  const answers = importers.map((importer) => ({ importer, answer: importer.recognises?.(sample) }))
  const found =
    answers.find(({ answer }) => answer === 'certain') ?? answers.find(({ answer }) => answer === 'possible')
  return found?.importer
}

/** Returns the importer whose format a file or folder has; undefined if none fits, or nothing is there. */
export async function recognisePath(
  path: string,
  importers: readonly Importer[],
): Promise<Importer | undefined> {
  const sample = await takeSample(path)
  return sample && recognise(sample, importers)
}
