/** Whether every fault is tried as often as it takes: by `npm run test:faults`. `npm test` tries each of them once. */
export const isThorough = process.env.TEST_DEPTH === 'thorough'

/** What `npm test` takes, and what `npm run test:faults` takes. */
export const byDepth = <T>(quick: T, thorough: T): T => (isThorough ? thorough : quick)
