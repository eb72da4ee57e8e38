/*
 * Stress mode, for tests: switches between domains at arbitrary points of PHP code (weft.stress, weft.stress_seed).
 */
#ifndef WEFT_STRESS_H
#define WEFT_STRESS_H

void weft_stress_minit(void);
/* Refuses to begin where interrupts do harm. */
void weft_stress_rinit(void);
/* A child process begins. */
void weft_stress_start(void);
void weft_stress_mshutdown(void);

#endif /* WEFT_STRESS_H */
