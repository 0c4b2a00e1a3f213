import type { Result } from '../measure.ts'
import type { World } from '../world.ts'

export type Case = { readonly name: string; run(world: World): Promise<Result[]> }
