/** SQL of an amount in the digits of its currency: what is given may have more, and would add up to other totals. */
export const inDigits = (sql: string, currency: string): string => `round(${sql}, currency_digits(${currency}))`
