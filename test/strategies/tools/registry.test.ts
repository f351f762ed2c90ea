import { expect, it } from 'vitest'
import { searchTools } from '../../../strategies/tools/registry.ts'

const found = (text: string) => searchTools(text).map(({ name }) => name)

it('a search finds tools by all of its words, wherever they stand, those named so first', () => {
  expect(found('tsc')).toEqual(['build-checker'])
  expect(found('RUN tests')[0]).toBe('test-runner')
  expect(found('generator pytest')).toEqual(['test-generator'])
  expect(found('test_gen_results')).toEqual(['test-generator'])
  expect(found('compile vite')).toEqual(['build-checker'])
  expect(found('').length).toBe(3)
  expect(found('deploy')).toEqual([])
})
