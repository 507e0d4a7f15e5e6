// @ts-check
import fc from 'fast-check';

// Every mutant gets the same cases, without shrinking: one failure kills it, and nobody reads the case.
fc.configureGlobal({ seed: 1, endOnFailure: true });
