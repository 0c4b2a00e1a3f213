/** The names by which `wake` calls the delivery queue, and the fan-out queue. */
export const WEBHOOK_QUEUE = 'webhook deliveries'
export const FAN_OUT_QUEUE = 'webhook events'
