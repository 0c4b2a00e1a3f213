import { statusSql } from './trip-status.ts'

/** SQL of whether a trip `t` is completed; `today` is SQL of the day on the account's clock. */
export const completedSql = (today: string): string => `${statusSql(today)} = 'completed'`
