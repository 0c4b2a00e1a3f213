type Step = () => Promise<unknown> | unknown

const steps: Step[] = []
let cleaning: Promise<void> | null = null

/** Clean-up steps to run when the benchmark ends, in reverse order. */
export function atEnd(step: Step): void {
  steps.push(step)
}

export function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await Promise.try(step).catch((error: unknown) => process.stderr.write(`could not clean up: ${error}\n`))
    }
  })()
  return cleaning
}

export function cleanUpOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void cleanUp().then(() => process.exit(130)))
  }
}
