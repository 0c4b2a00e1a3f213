import { beforeAll } from 'vitest'
import { endAll } from './at-end.ts'

// What the first hook answers is called after all other hooks of the file.
beforeAll(() => endAll)
