package family

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Names of models from hubs and servers with their families, as in docs/families.md and the documentation of vLLM's and
// SGLang's parsers.
func TestFamiliesOfModels(t *testing.T) {
	for model, name := range map[string]string{
		"CohereLabs/c4ai-command-r7b-12-2024":           "command_r7b",
		"CohereLabs/command-a-reasoning-08-2025":        "command_r7b",
		"deepseek-ai/DeepSeek-R1-0528":                  "deepseek_r1",
		"deepseek-ai/DeepSeek-V3-0324":                  "deepseek_r1",
		"deepseek-ai/DeepSeek-V3.1-Terminus":            "deepseek_v3_1",
		"deepseek-ai/DeepSeek-V3.2-Exp":                 "deepseek_v3_1",
		"deepseek-ai/DeepSeek-V3.2":                     "deepseek_v3_2",
		"deepseek-ai/DeepSeek-V4":                       "deepseek_v4",
		"deepseek-ai/DeepSeek-V4.1":                     "deepseek_v4_1",
		"LGAI-EXAONE/EXAONE-4.0-32B":                    "exaone4",
		"google/functiongemma-270m-it":                  "function_gemma",
		"google/gemma-4-27b-it":                         "gemma_4",
		"zai-org/GLM-4.5-Air":                           "glm_4_5",
		"zai-org/GLM-4.6":                               "glm_4_5",
		"zai-org/GLM-4.7-Flash":                         "glm_4_7",
		"zai-org/GLM-5":                                 "glm_4_7",
		"ibm-granite/granite-3.1-8b-instruct":           "granite",
		"ibm-granite/granite-4.0-h-small":               "hermes",
		"ibm-granite/granite-20b-functioncalling":       "granite_20b_fc",
		"openai/gpt-oss-120b":                           "harmony",
		"NousResearch/Hermes-2-Pro-Llama-3-8B":          "hermes",
		"NousResearch/Hermes-3-Llama-3.1-70B-FP8":       "hermes",
		"Qwen/Qwen2.5-7B-Instruct":                      "hermes",
		"Qwen/QwQ-32B":                                  "hermes",
		"moonshotai/Kimi-K2-Instruct":                   "kimi_k2",
		"moonshotai/Kimi-K2-Thinking":                   "kimi_k2",
		"moonshotai/Kimi-K3":                            "kimi_k3",
		"LiquidAI/LFM2.5-1.2B-Instruct":                 "lfm2",
		"meta-llama/Llama-3.1-8B-Instruct":              "llama",
		"meta-llama/Meta-Llama-3.1-8B-Instruct":         "llama",
		"llama3.1:8b":                                   "llama",
		"/models/Llama-3.3-70B-Instruct":                "llama",
		"meta-llama/Llama-4-Scout-17B-16E-Instruct":     "pythonic",
		"google/gemma-3-27b-it":                         "pythonic",
		"XiaomiMiMo/MiMo-V2.6":                          "mimo",
		"MiniMaxAI/MiniMax-M2.5":                        "minimax",
		"MiniMaxAI/MiniMax-M3":                          "minimax_m3",
		"mistralai/Mistral-7B-Instruct-v0.3":            "mistral",
		"mistralai/Mistral-Nemo-Instruct-2407":          "mistral",
		"mistralai/Mistral-Large-Instruct-2407":         "mistral",
		"mistralai/Mistral-Small-24B-Instruct-2501":     "mistral",
		"mistralai/Mistral-Small-3.1-24B-Instruct-2503": "mistral",
		"mistralai/Mistral-Small-3.2-24B-Instruct-2506": "mistral_v11",
		"mistralai/Magistral-Small-2509":                "mistral_v11",
		"mistralai/Devstral-Small-2507":                 "mistral_v11",
		"nvidia/NVIDIA-Nemotron-Nano-9B-v2":             "nemotron",
		"allenai/Olmo-3-7B-Instruct":                    "olmo3",
		"microsoft/Phi-4-mini-instruct":                 "phi4_mini",
		"Qwen/Qwen3-8B":                                 "qwen3",
		"Qwen/Qwen3-Next-80B-A3B-Instruct":              "qwen3",
		"qwen3:8b":                                      "qwen3",
		`C:\models\Qwen3-8B-Q4_K_M.gguf`:                "qwen3",
		"/models/Qwen3-8B/":                             "qwen3",
		"bartowski/Qwen_Qwen3-8B-GGUF":                  "qwen3",
		"bartowski/openai_gpt-oss-20b-GGUF":             "harmony",
		"Qwen/Qwen3-Coder-Next":                         "qwen3_coder",
		"Qwen/Qwen3.5-27B":                              "qwen3_coder",
		"stepfun-ai/Step-3.5-Flash":                     "qwen3_coder",
		"qwen3_coder":                                   "qwen3_coder", // a family
		"openai":                                        "harmony",     // another name of one
	} {
		f, err := Of(model)
		require.NoError(t, err, model)
		require.Equal(t, name, f.Name, model)
	}
}

// Families have models, except those that any model may use and one whose models share no name; each model name belongs
// to one family.
func TestModelNames(t *testing.T) {
	known := map[string]string{}
	for _, f := range List() {
		if f.Name == "arguments" || f.Name == "json_list" || f.Name == "cohere" {
			require.Empty(t, f.ModelNames)
			continue
		}
		require.NotEmpty(t, f.ModelNames, f.Name)
		for _, name := range f.ModelNames {
			require.Empty(t, known[plain(name)], name)
			known[plain(name)] = f.Name
			found, err := Of("owner/" + name)
			require.NoError(t, err)
			require.Same(t, f, found)
		}
	}
}

func TestUnknownModels(t *testing.T) {
	for model, says := range map[string]string{
		"Qwen/Qwen2-7B": "similar models are hermes (qwen2.5)",
		"acme/Rocket-1": "no family is known for this model; choose one from docs",
		"":              "no family is known",
		"/":             "no family is known",
		"ibm-granite/granite-34b-code-instruct-8k": "similar models are granite (granite-3)",
		"ibm-granite/granite-3b-code-base-2k":      "similar models are granite (granite-3)",
		"google/gemma-4b":                          "similar models are gemma_4 (gemma-4)",
		"Qwen/Qwen35-8B":                           "similar models are qwen3 (qwen3)",
		"MiniMaxAI/Mini-M1":                        "similar models are minimax (minimax-m2), minimax_m3 (minimax-m3)",
	} {
		_, err := Of(model)
		require.ErrorContains(t, err, says)
	}
	_, err := Find("Qwen/Qwen3-8B")
	require.ErrorContains(t, err, `this is a model of the family "qwen3"`)
	_, err = Find("acme/Rocket-1")
	require.ErrorContains(t, err, "there is no family of this name; use one of arguments, cohere")
	require.ErrorContains(t, err, ", or the content of a family's file")
	_, err = Find("hermez")
	require.ErrorContains(t, err, "there is no family of this name; did you mean hermes?")
}
