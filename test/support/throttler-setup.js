// @ts-check
import { jest } from '@jest/globals';
import * as common from '@nestjs/common';
import * as core from '@nestjs/core';

// `@nestjs/throttler` is CommonJS and requires Nest, which consists of ES modules. Jest below Node
// 24.9 cannot do that.
jest.mock('@nestjs/common', () => common);
jest.mock('@nestjs/core', () => core);
