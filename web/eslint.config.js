import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import typescript from "typescript-eslint";

export default defineConfig(
  { ignores: ["node_modules", "**/*.mjs", "eslint.config.js"] },
  js.configs.recommended,
  typescript.configs.strict,
  typescript.configs.stylistic,
  {
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "prefer-const": "error",
      // Indices come from loops over the same arrays; a check at each would say nothing.
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
);
