import type { StageEnd, StageProgram } from '../stage.ts'
import type { PlayedFiles } from './play-files.ts'

/** How a stage ends that is played: no program is started. */
export interface StageScene extends Partial<StageEnd> {
  /** The id that the strategy must give it. */
  id: string
  /** The files that it changes, by path; null deletes a file. */
  files?: Readonly<Record<string, string | null>>
}

/** A stage as the context got it. */
export interface PlayedStage {
  branch: string
  id: string
  program: StageProgram
}

/**
 * Ends a stage as the next scene says; without more it exits with 0 and leaves its state as it was. Throws if that scene is of
 * another stage, or if there is none.
 */
export function endStage(
  scenes: StageScene[],
  files: PlayedFiles,
  id: string,
  { state }: StageProgram,
): StageEnd {
  const scene = scenes.shift()
  if (scene?.id !== id)
    throw new Error(
      `the strategy runs the stage "${id}"; the scene has ${scene ? `"${scene.id}"` : 'no more'}`,
    )
  const { id: _, files: edits = {}, ...end } = scene
  files.apply(Object.entries(edits).map(([path, content]) => ({ path, content })))
  return { exitCode: 0, state, output: '', asks: 0, ...end }
}
